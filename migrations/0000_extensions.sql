-- uuid equality inside the GiST index that finds overlapping bookings.
CREATE EXTENSION IF NOT EXISTS btree_gist;
