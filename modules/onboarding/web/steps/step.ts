import type { ComponentType } from 'react'
import type { GuideStep } from '../../contract/guide.ts'

/** What every step of the guide is given. */
export interface StepProps {
  /** The project that is set up; empty before there is one. */
  readonly projectCode: string
  /** How many of its records there are already. */
  readonly count: number
  /** Counts again; with `true` the guide goes on to the next step. */
  readonly onDone: (next: boolean) => void
  readonly onOpenStep: (step: GuideStep) => void
}

export type StepComponent = ComponentType<StepProps>
