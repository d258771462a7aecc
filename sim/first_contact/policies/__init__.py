"""The policies that come with First Contact, a module for each."""
