import { expect, it, vi } from 'vitest'
import { openBrowserStore, readStored, saveStored } from '../browser-store.ts'
import { setFileStore } from '../file-store.ts'
import { uploadPhotos } from './stored-photos.ts'

interface Write {
  readonly objectStore: () => object
  oncomplete?: () => void
}

/** A database of the browser whose writes end when the test says so. */
function fakeDatabase() {
  const writes: Write[] = []
  const answer = <T>(result: T) => {
    const request: { result: T; onsuccess?: () => void } = { result }
    queueMicrotask(() => request.onsuccess?.())
    return request
  }
  const store = { getAllKeys: () => answer([]), getAll: () => answer([]), put: () => {}, delete: () => {} }
  const transaction = (_name: string, mode?: string) => {
    const begun: Write = { objectStore: () => store }
    if (mode === 'readwrite') {
      writes.push(begun)
    }
    return begun
  }
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('indexedDB', { open: () => answer({ transaction }) })
  return { finishWrites: () => writes.splice(0).forEach(each => each.oncomplete?.()) }
}

it('the key of a picture is written down before what names it is sent', async () => {
  const { finishWrites } = fakeDatabase()
  await openBrowserStore()
  setFileStore({ save: async () => 'key1', find: async () => new Map() })
  saveStored('phone.photo/one', { file: new File(['x'], 'one.jpg') })
  finishWrites()
  let sent: readonly string[] | undefined
  const uploading = uploadPhotos(['one', 'kept2']).then(keys => (sent = keys))
  await new Promise(resolve => setTimeout(resolve, 20))
  // A page that ended now would upload the picture once more, under another key.
  expect(readStored('phone.photo/one', {})).toMatchObject({ key: 'key1' })
  expect(sent).toBeUndefined()
  finishWrites()
  await uploading
  expect(sent).toEqual(['key1', 'kept2'])
})
