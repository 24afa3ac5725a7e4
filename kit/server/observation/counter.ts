/** A count of events that a module declares, by one label; all of them are in `/metrics`. */
export interface EventCounter<L extends string> {
  readonly name: string
  readonly help: string
  readonly label: string
  add(value: L): void
  counts(): ReadonlyMap<string, number>
}

const counters: EventCounter<never>[] = []

/** All values of the label are there from the first scrape: what never happened is 0, not missing. */
export function declareCounter<L extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly L[],
): EventCounter<L> {
  const counts = new Map<string, number>(values.map(value => [value, 0]))
  const counter: EventCounter<L> = {
    name,
    help,
    label,
    add: value => {
      counts.set(value, (counts.get(value) ?? 0) + 1)
    },
    counts: () => counts,
  }
  counters.push(counter)
  return counter
}

export const formatCounters = (): string =>
  counters
    .flatMap(({ name, help, label, counts }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} counter`,
      ...[...counts()].map(([value, count]) => `${name}{${label}="${value}"} ${count}`),
    ])
    .join('\n')
