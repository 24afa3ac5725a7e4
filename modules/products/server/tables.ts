/** The tables of this module, each with the other modules that may read it; none but this one writes them. */
export const tables = {
  account_entry: [],
  call_seat: [],
  increment_node: [],
  product: [],
  product_category: [],
  product_order: [],
  product_type: [],
  property_account: [],
  property_app: [],
} as const
