import type { GuideStep } from '../contract/guide.ts'

interface StepProgress {
  readonly step: GuideStep
  readonly done: boolean
  readonly skipped: boolean
}

/** Neither done nor left out. */
const isOpen = ({ done, skipped }: StepProgress): boolean => !done && !skipped

/** What comes next: the first step that waits; `after` another one, those behind it before those ahead. */
export function nextStep(steps: readonly StepProgress[], after?: GuideStep): GuideStep | undefined {
  const index = after === undefined ? -1 : steps.findIndex(s => s.step === after)
  const inOrder = [...steps.slice(index + 1), ...steps.slice(0, Math.max(0, index))]
  return inOrder.find(isOpen)?.step
}

/** Whether no step is open any more; some may have been skipped. */
export const isGuideOver = (steps: readonly StepProgress[]): boolean => !steps.some(isOpen)

/** Left out and not done since. */
export const skippedSteps = (steps: readonly StepProgress[]): readonly GuideStep[] =>
  steps.filter(s => !s.done && s.skipped).map(s => s.step)
