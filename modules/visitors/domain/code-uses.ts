/** One opening of a door by a code. */
export interface CodeOpening {
  readonly direction: 'entrance' | 'exit' | 'both'
  /** ISO instant. */
  readonly at: string
}

export interface CodeUses {
  readonly entrances: number
  readonly exits: number
  /** Of the first entrance. */
  readonly enteredAt: string | undefined
  /** Of the last exit, where nobody came in after it. */
  readonly leftAt: string | undefined
}

/**
 * VIS-2: what the openings of a code come to. A door for both directions lets in somebody outside, and
 * out somebody inside. Nobody leaves who is not inside.
 */
export function codeUses(openings: readonly CodeOpening[], isInside: boolean): CodeUses {
  let uses: CodeUses = { entrances: 0, exits: 0, enteredAt: undefined, leftAt: undefined }
  let inside = isInside
  for (const { direction, at } of openings.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    const isEntrance = direction === 'both' ? !inside : direction === 'entrance'
    if (!isEntrance && !inside) continue
    uses = isEntrance
      ? { ...uses, entrances: uses.entrances + 1, enteredAt: uses.enteredAt ?? at, leftAt: undefined }
      : { ...uses, exits: uses.exits + 1, leftAt: at }
    inside = isEntrance
  }
  return uses
}
