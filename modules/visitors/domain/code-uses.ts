/** One opening of a door by a code. */
export interface CodeOpening {
  /** Of the reader; of a door that cannot tell, both. */
  readonly direction: 'entrance' | 'exit' | 'both'
  /** ISO instant. */
  readonly at: string
  /** The door is for one direction alone: each opening of it is a passage. */
  readonly isOneWay: boolean
  /** Behind another door of the project: a building's, where the project has a gate. */
  readonly isInner: boolean
  /** It was counted before the door opened: it uses nothing up any more. */
  readonly isCounted?: boolean
}

/** What is counted of a visit before an opening. */
export interface VisitBefore {
  readonly isInside: boolean
  /** ISO instant. */
  readonly endsAt: string
  readonly entrancesLeft: number
}

export interface CodeUses<T extends CodeOpening = CodeOpening> {
  readonly entrances: number
  readonly exits: number
  /** Of the first entrance. */
  readonly enteredAt: string | undefined
  /** Of the last exit, where nobody came in after it. */
  readonly leftAt: string | undefined
  /** Somebody was let in though no entrance was left: by two gates in the same instant. */
  readonly overuses: readonly T[]
}

type Passage = 'entrance' | 'exit' | undefined

/**
 * VIS-2, VIS-5: what an opening is. Somebody inside does not come in again at a door for both directions or
 * at one further in; the way out is a gate. Where nothing says which way, it is out once the visit is over.
 */
function passageOf(
  { direction, at, isOneWay, isInner }: CodeOpening,
  isInside: boolean,
  endsAt: string,
): Passage {
  if (!isInside) return direction === 'exit' ? undefined : 'entrance'
  if (isInner) return undefined
  if (direction === 'exit') return 'exit'
  if (direction === 'entrance') return isOneWay ? 'entrance' : undefined
  return at > endsAt ? 'exit' : undefined
}

/** Somebody was let in: at a door for both directions, too, where it is no passage of somebody inside. */
const letsIn = ({ direction, isInner }: CodeOpening, passage: Passage): boolean =>
  passage === 'entrance' || (passage === undefined && direction === 'entrance' && !isInner)

/** What the openings of a code come to. Nobody leaves who is not inside. */
export function codeUses<T extends CodeOpening>(openings: readonly T[], before: VisitBefore): CodeUses<T> {
  const { endsAt, entrancesLeft } = before
  let uses: CodeUses<T> = { entrances: 0, exits: 0, enteredAt: undefined, leftAt: undefined, overuses: [] }
  let inside = before.isInside
  for (const opening of openings.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    const passage = passageOf(opening, inside, endsAt)
    const { isCounted = false } = opening
    if (!isCounted && letsIn(opening, passage) && uses.entrances >= entrancesLeft) {
      uses = { ...uses, overuses: [...uses.overuses, opening] }
    }
    if (passage === undefined) continue
    const { at } = opening
    inside = passage === 'entrance'
    uses = inside
      ? {
          ...uses,
          entrances: uses.entrances + Number(!isCounted),
          enteredAt: uses.enteredAt ?? at,
          leftAt: undefined,
        }
      : { ...uses, exits: uses.exits + 1, leftAt: at }
  }
  return uses
}
