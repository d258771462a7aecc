"""Brandubh: a king and four defenders against eight attackers on 7 x 7 squares."""
