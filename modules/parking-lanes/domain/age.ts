import { secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { AgeBand } from '../contract/choices.ts'

/** Up to how many hours a band reaches; the last has no end. */
export const ageBandHours: Readonly<Record<AgeBand, readonly [above: number, upTo: number | undefined]>> = {
  upTo2: [0, 2],
  upTo12: [2, 12],
  upTo24: [12, 24],
  upTo72: [24, 72],
  over72: [72, undefined],
}

const bands: readonly AgeBand[] = ['upTo2', 'upTo12', 'upTo24', 'upTo72']

export const hoursOf = (from: Moment, to: Moment): number => Math.max(0, secondsBetween(from, to) / 3600)

export const bandOf = (hours: number): AgeBand =>
  bands.find(band => hours <= (ageBandHours[band][1] ?? 0)) ?? 'over72'
