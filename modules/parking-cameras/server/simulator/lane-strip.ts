import type { SimulatedCar } from './simulated-camera.ts'

/** One thing that happens at a lane. */
export interface StripEvent {
  readonly way: 'in' | 'out'
  readonly car: SimulatedCar
  /** The camera reports it twice. */
  readonly isDouble?: boolean
}

/** The plates to choose from: those on the list of the lane, and those that came in here before. */
export interface StripCars {
  readonly listed: readonly string[]
  readonly blocked: readonly string[]
  readonly inside: readonly string[]
}

const letters = 'ABCDEFGHJK'

const plateOf = (turn: number): string =>
  `粤${letters[(turn * 7) % letters.length]}${String(30_000 + ((turn * 1117) % 60_000))}`

const pick = (plates: readonly string[], turn: number): string | undefined => plates[turn % plates.length]

/**
 * The cars of a demo, one after the other and the same each time: most are strangers and subscribers; now and
 * then one that is black-listed, one that cannot be read, one without a plate, one that is reported twice.
 */
export function stripEvent(turn: number, { listed, blocked, inside }: StripCars): StripEvent {
  const [stranger, subscriber] = [plateOf(turn), pick(listed, turn) ?? plateOf(turn)]
  const leaving = inside[0]
  const events: readonly StripEvent[] = [
    { way: 'in', car: { plateNo: stranger } },
    { way: 'in', car: { plateNo: subscriber } },
    { way: 'out', car: { plateNo: leaving ?? subscriber } },
    { way: 'in', car: { plateNo: stranger }, isDouble: true },
    { way: 'in', car: { plateNo: stranger, confidence: 62 } },
    { way: 'out', car: { plateNo: leaving ?? stranger } },
    { way: 'in', car: { plateNo: pick(blocked, turn) ?? stranger } },
    { way: 'out', car: { plateNo: leaving ?? stranger } },
    { way: 'in', car: {} },
  ]
  return events[turn % events.length] ?? { way: 'in', car: { plateNo: stranger } }
}
