import type { ComponentType } from 'react'

/** What every step of the guide is given. */
export interface StepProps {
  /** The project that is set up; empty before there is one. */
  readonly projectCode: string
  /** How many of its records there are already. */
  readonly count: number
  /** Counts again; with `true` the guide goes on to the next step. */
  readonly onDone: (next: boolean) => void
}

export type StepComponent = ComponentType<StepProps>
