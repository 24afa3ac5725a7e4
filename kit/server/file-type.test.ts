import { expect, it } from 'vitest'
import { detectFileType } from './file-type.ts'

it('a single byte 0xFF is no signature: the name decides', () => {
  const head = Buffer.from([0xff])
  expect(detectFileType(head, 'a.jpg')).toBeUndefined()
  expect(detectFileType(head, 'a.mp3')).toBeUndefined()
  expect(detectFileType(head, 'a')).toBe('application/octet-stream')
})

it('an MP3 is known by its tag or by the sync bits of its first frame', () => {
  expect(detectFileType(Buffer.from('ID3'), 'a.mp3')).toBe('audio/mpeg')
  expect(detectFileType(Buffer.from([0xff, 0xfb]), 'a.mp3')).toBe('audio/mpeg')
  expect(detectFileType(Buffer.from([0xff, 0xff]), 'a.mp3')).toBeUndefined()
})
