"""Running experiments: plan, play on Ray, publish to an archive."""
