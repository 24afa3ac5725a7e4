import { describe, expect, it } from 'vitest'
import { failedJourneys, failedTests } from './failed-tests.ts'

describe('what failed is printed at the end', () => {
  it('a failed test with its message, and a file that could not be read', () => {
    const report = {
      numPassedTests: 1,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [
        {
          name: 'a.test.ts',
          message: '',
          status: 'failed',
          assertionResults: [
            { fullName: 'adds', status: 'passed', failureMessages: [] },
            { fullName: 'divides', status: 'failed', failureMessages: ['expected 1\nto be 2'] },
          ],
        },
        { name: 'b.test.ts', message: 'no such module', status: 'failed', assertionResults: [] },
        { name: 'c.test.ts', message: '', status: 'passed', assertionResults: [] },
      ],
    }
    expect(failedTests(report)).toEqual([
      '✗ a.test.ts › divides\n    expected 1\n    to be 2',
      '✗ b.test.ts\n    no such module',
    ])
  })

  it('a journey that failed in every try, without colours, of whatever depth', () => {
    const red = `${String.fromCodePoint(27)}[31m`
    const spec = (title: string, ok: boolean) => ({
      title,
      file: 'a.spec.ts',
      line: 3,
      ok,
      tests: [{ results: [{ errors: [{ message: 'first' }] }, { errors: [{ message: `${red}second` }] }] }],
    })
    const suites = [{ suites: [{ specs: [spec('pays', false), spec('signs in', true)] }] }]
    expect(failedJourneys({ suites })).toEqual(['✗ a.spec.ts:3 › pays\n    second'])
  })
})
