-- The baseline of release 1.0. Overlap indexes combine ids with ranges.
CREATE EXTENSION IF NOT EXISTS btree_gist;
