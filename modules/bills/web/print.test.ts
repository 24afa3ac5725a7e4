import { afterEach, expect, it, vi } from 'vitest'
import { readPrintRequest } from './print.ts'

afterEach(() => vi.unstubAllGlobals())

const stored: Readonly<Record<string, string>> = {
  good: JSON.stringify({ at: 'GET Feenotice/GetLetters', input: { ids: ['3'] } }),
  torn: '{"at":',
}

it('a print page reads what was left for it, and nothing where that is gone or torn', () => {
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored[key] ?? null })
  expect(readPrintRequest('good')).toEqual({ at: 'GET Feenotice/GetLetters', input: { ids: ['3'] } })
  expect([readPrintRequest('torn'), readPrintRequest('lost'), readPrintRequest(null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
