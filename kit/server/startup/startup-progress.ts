/** One thing that a start prepares. */
export interface StartupStep {
  readonly title: string
  /** About how many seconds it takes, beside the others: its part of the bar. */
  readonly weight: number
}

/** A step as the page of preparation shows it. */
export interface StepState {
  readonly title: string
  /** 0 to 1. */
  readonly share: number
  /** What is being done in it now. */
  readonly detail: string
  readonly state: 'waiting' | 'running' | 'done'
}

export interface PreparationState {
  /** 0 to 1, of all steps. */
  readonly share: number
  readonly steps: readonly StepState[]
}

/** Says how far a piece of work has come: a share of it (0 to 1), and what comes now. */
export type ReportShare = (share: number, detail: string) => void

/** What a start prepares and how far it has come; steps may run side by side. */
export class StartupProgress<Key extends string> {
  readonly #steps: Map<string, StartupStep & StepState>

  constructor(steps: Readonly<Record<Key, StartupStep>>) {
    this.#steps = new Map(
      Object.entries<StartupStep>(steps).map(([key, step]) => [
        key,
        { ...step, share: 0, detail: '', state: 'waiting' },
      ]),
    )
  }

  #change(key: Key, change: Partial<StepState>): void {
    const step = this.#steps.get(key)
    if (step) {
      this.#steps.set(key, { ...step, ...change })
    }
  }

  /** Runs the work of a step. */
  async run<T>(key: Key, work: (report: ReportShare) => Promise<T>): Promise<T> {
    this.#change(key, { state: 'running' })
    const result = await work((share, detail) => this.#change(key, { share, detail }))
    this.#change(key, { state: 'done', share: 1, detail: '' })
    return result
  }

  state(): PreparationState {
    const steps = [...this.#steps.values()]
    const total = steps.reduce((sum, { weight }) => sum + weight, 0)
    const done = steps.reduce((sum, { weight, share }) => sum + weight * share, 0)
    return {
      share: total ? done / total : 0,
      steps: steps.map(({ title, share, detail, state }) => ({ title, share, detail, state })),
    }
  }
}
