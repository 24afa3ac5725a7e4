import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'

/** Where the browser keeps something that is nobody's: of the browser itself, or before anybody signs in. */
const withoutPerson: readonly { readonly files: RegExp; readonly reason: string }[] = [
  { files: /^modules\/accounts\/web\//, reason: 'the sign-in page: who was here last' },
  { files: /^modules\/work-orders\/web\/resident-/, reason: 'pages of residents, who have no account' },
  { files: /^modules\/resident-page\/web\//, reason: 'pages of residents, who have no account' },
  {
    files: /^modules\/merchant-coupons\/web\/(?:merchant-page|sign-in-form)\./,
    reason: 'the page of merchants, who have no account of staff',
  },
  {
    files: /^modules\/parking-payments\/web\/(?:lane-pass|pay)\./,
    reason: 'the page of drivers, who have no account',
  },
  { files: /^modules\/patrol\/web\/walk/, reason: 'by the keys of walk-draft.ts, tested beside it' },
]

const stores = /\b(?:useStored|readStored|saveStored)\b[<(]/

it('what a module keeps in the browser is kept for the person who is signed in', () => {
  const impersonal = filesUnder('modules', /\.tsx?$/)
    .filter(file => /\/web\//.test(file) && !file.includes('.test.'))
    .filter(file => !withoutPerson.some(({ files }) => files.test(file)))
    .filter(file => {
      const text = readSource(file)
      return stores.test(text) && !/\bpersonalKey\(/.test(text)
    })
  expect(impersonal).toEqual([])
})
