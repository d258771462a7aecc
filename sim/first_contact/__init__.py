"""First Contact: a battalion of tanks and infantry on each side near Prokhorovka, 12 July 1943."""
