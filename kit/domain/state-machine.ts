/**
 * One state: who may follow it, what a record must have to enter it, what no longer changes while it lasts.
 */
export interface StateRule<S extends string, F extends string = string> {
  readonly next: readonly S[]
  readonly requires?: readonly F[]
  readonly freezes?: readonly F[] | 'all'
}

/** How states and fields are called in reasons; without them the keys themselves are there. */
export interface StateMachineLabels<S extends string, F extends string> {
  readonly state?: (s: S) => string
  readonly field?: (f: F) => string
}

export interface StateMachine<S extends string, F extends string = string> {
  readonly canTransition: (from: S, to: S) => boolean
  /** The states that may follow; an empty list is a final state. */
  readonly nextStates: (from: S) => readonly S[]
  /** The states that may lead here: the "where State in (…)" of a conditional update (G-8). */
  readonly previousStates: (to: S) => readonly S[]
  /** Why a record may not go from one state to the other, in the user's words; nothing when it may. */
  readonly checkTransition: (from: S, to: S, record?: { readonly [key in F]?: unknown }) => string | undefined
  readonly requiredFields: (to: S) => readonly F[]
  readonly isFrozen: (state: S, field: F) => boolean
  /** Why these fields cannot be changed in this state; nothing when they may. */
  readonly checkEdit: (state: S, fields: readonly F[]) => string | undefined
}

const quoteList = (words: readonly string[]): string => words.map(w => `“${w}”`).join('、')

const isFilled = (v: unknown): boolean =>
  v !== undefined && v !== null && v !== '' && !(Array.isArray(v) && v.length === 0)

/**
 * The table is the documentation, the functions only read it: `defineStateMachine({ open: ['shut'],
 * shut: { next: [], freezes: 'all' } })`.
 */
export function defineStateMachine<S extends string, F extends string = string>(
  table: { readonly [from in S]: readonly NoInfer<S>[] | StateRule<NoInfer<S>, F> },
  names: StateMachineLabels<NoInfer<S>, NoInfer<F>> = {},
): StateMachine<S, F> {
  const isList = (row: readonly S[] | StateRule<S, F>): row is readonly S[] => Array.isArray(row)
  const row = (s: S): StateRule<S, F> => {
    const declared: readonly S[] | StateRule<S, F> = table[s]
    return isList(declared) ? { next: declared } : declared
  }
  const state = (s: S): string => names.state?.(s) ?? s
  const field = (f: F): string => names.field?.(f) ?? f
  const states = Object.keys(table) as S[]
  const after = (from: S): readonly S[] => row(from).next
  const canTransition = (from: S, to: S): boolean => after(from).includes(to)
  const requires = (to: S): readonly F[] => row(to).requires ?? []
  const isFrozen = (s: S, f: F): boolean => {
    const frozen = row(s).freezes ?? []
    return frozen === 'all' || frozen.includes(f)
  }
  return {
    canTransition,
    nextStates: after,
    requiredFields: requires,
    isFrozen,
    previousStates: to => states.filter(s => canTransition(s, to)),
    checkTransition: (from, to, record) => {
      if (!canTransition(from, to)) {
        if (from === to) return `已经是“${state(to)}”，无需重复操作`
        return after(from).length
          ? `当前为“${state(from)}”，不能改为“${state(to)}”，只能改为${quoteList(after(from).map(state))}`
          : `“${state(from)}”是最终状态，不能再改为“${state(to)}”`
      }
      const missing = record ? requires(to).filter(f => !isFilled(record[f])) : []
      return missing.length ? `改为“${state(to)}”前请先填写${quoteList(missing.map(field))}` : undefined
    },
    checkEdit: (s, fields) => {
      const frozen = fields.filter(f => isFrozen(s, f))
      return frozen.length ? `“${state(s)}”状态下不能修改${quoteList(frozen.map(field))}` : undefined
    },
  }
}
