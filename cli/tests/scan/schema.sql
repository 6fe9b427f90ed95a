CREATE TABLE orders (
  id bigint PRIMARY KEY,
  status text NOT NULL DEFAULT 'draft'
    CHECK (status IN ('draft', 'in_review', 'paid', 'closed'))
);
