/** What Vitest writes about a run, as far as it is read here. */
export interface TestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

interface JourneySuite {
  readonly suites?: readonly JourneySuite[]
  readonly specs?: readonly {
    readonly title: string
    readonly file: string
    readonly line: number
    readonly ok: boolean
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[]
    }[]
  }[]
}

/** What Playwright writes about a run, as far as it is read here. */
export interface JourneyReport {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>
  readonly suites: readonly JourneySuite[]
}

const MESSAGE_LINES = 12
const colours = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*m`, 'g')

function describe(name: string, messages: readonly string[]): string {
  const lines = messages.flatMap(message => message.replaceAll(colours, '').split('\n'))
  return [`✗ ${name}`, ...lines.slice(0, MESSAGE_LINES).map(line => `    ${line}`)].join('\n')
}

/** The failed tests, and the files that failed before their first test, with the start of their messages. */
export function failedTests(report: TestReport): string[] {
  return report.testResults.flatMap(file => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    if (file.status === 'failed' && failed.length === 0) return [describe(file.name, [file.message])]
    return failed.map(test => describe(`${file.name} › ${test.fullName}`, test.failureMessages))
  })
}

/** The journeys that failed in every try, with the start of the messages of the last one. */
export function failedJourneys({ suites }: Pick<JourneyReport, 'suites'>): string[] {
  return suites.flatMap(suite => [
    ...(suite.specs ?? [])
      .filter(({ ok }) => !ok)
      .map(spec =>
        describe(
          `${spec.file}:${spec.line} › ${spec.title}`,
          spec.tests.flatMap(({ results }) =>
            (results.at(-1)?.errors ?? []).map(({ message }) => message ?? ''),
          ),
        ),
      ),
    ...failedJourneys({ suites: suite.suites ?? [] }),
  ])
}
