type ExactItem<Known, Item> = Item extends object
  ? Item & { readonly [Key in Exclude<keyof Item, keyof Known>]: never }
  : Item

/**
 * A list whose items have no other keys than `Known`. TypeScript refuses unknown keys only in a literal that
 * is written in its place: one that comes out of a `map`, a spread or a variable may misspell an optional key
 * unseen. Take such a list as `items: List & ExactList<Known, List>` with `const List`.
 */
export type ExactList<Known, List extends readonly unknown[]> = {
  readonly [Index in keyof List]: ExactItem<Known, List[Index]>
}
