import { expect, it } from 'vitest'
import { decryptMessage, encryptMessage, newAesKey, signatureOf } from './crypto.ts'
import { readXml, writeXml } from './xml.ts'

const appId = 'wxb11529c136998cb6'
const aesKey = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
const prefix = Buffer.from('0123456789abcdef')

it('signs as the platform does: SHA-1 over the sorted parts (worked example)', () => {
  // printf '1409735669abcdpamtest' | sha1sum: the parts in the order of their characters.
  expect(signatureOf('pamtest', '1409735669', 'abcd')).toBe(signatureOf('abcd', 'pamtest', '1409735669'))
  expect(signatureOf('pamtest', '1409735669', 'abcd')).toBe('954c55f5a02b3fbcb8aab5c3131941beed41e8dd')
})

it('encrypts in blocks of 32 bytes and reads what it wrote (worked example)', () => {
  const encrypted = encryptMessage(aesKey, appId, '<xml>你好</xml>', prefix)
  expect(encrypted).toBe(
    'Q3stYC6hdFzMh9T8HCvyDORchGzARlxqyFUOtgi0n8GzWSnCmOJIlAQWE8val2Gr6DZ70G+Jarz2hOJpyp4cMw==',
  )
  expect(Buffer.from(encrypted, 'base64').length % 32).toBe(0)
  expect(decryptMessage(aesKey, appId, encrypted)).toBe('<xml>你好</xml>')
})

it('messages of every length round the block are read whole', () => {
  for (let length = 0; length < 70; length++) {
    const text = 'a'.repeat(length)
    expect(decryptMessage(aesKey, appId, encryptMessage(aesKey, appId, text))).toBe(text)
  }
})

it('refuses a message of another key or account, one that was cut and one that was changed', () => {
  const encrypted = encryptMessage(aesKey, appId, '<xml>1</xml>', prefix)
  expect(() => decryptMessage(newAesKey(), appId, encrypted)).toThrow()
  expect(() => decryptMessage(aesKey, 'wx0000000000000000', encrypted)).toThrow('another account')
  expect(() => decryptMessage(aesKey, appId, encrypted.slice(0, -24))).toThrow()
  expect(() => decryptMessage(aesKey, appId, '')).toThrow()
  expect(() => decryptMessage(aesKey.slice(1), appId, encrypted)).toThrow('malformed')
  expect(newAesKey()).toMatch(/^[A-Za-z0-9]{43}$/)
})

it('reads the texts of a message', () => {
  const xml =
    '<xml><ToUserName><![CDATA[gh_1]]></ToUserName><CreateTime>13</CreateTime><A><![CDATA[<b>&lt;]]></A></xml>'
  expect(readXml(xml)).toEqual({ ToUserName: 'gh_1', CreateTime: '13', A: '<b>&lt;' })
})

it('refuses entities that expand, types of its own, too much, and what is no message', () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><xml><C>&b;</C></xml>'
  expect(() => readXml(bomb)).toThrow('types of its own')
  expect(() => readXml('<!doctype x SYSTEM "file:///etc/passwd"><xml/>')).toThrow('types of its own')
  expect(() => readXml(`<xml><C>${'a'.repeat(61_000)}</C></xml>`)).toThrow('too large')
  expect(() => readXml(`<xml>${'<a>'.repeat(500)}</xml>`)).toThrow('too many')
  for (const text of ['', 'hello', '{}', '<html/>', '<xml>', '<xml><a></a>']) {
    expect(() => readXml(text), text).toThrow()
  }
  expect(readXml('<xml><C>&amp;lt;</C></xml>').C).toBe('&amp;lt;')
})

it('nothing in a text ends its section', () => {
  const hostile = ']]></Content><Evil>1</Evil><Content><![CDATA['
  expect(readXml(writeXml({ Content: hostile, CreateTime: 5 }))).toEqual({
    Content: hostile,
    CreateTime: '5',
  })
  expect(writeXml({ Articles: [{ Title: '停水' }] })).toBe(
    '<xml><Articles><item><Title><![CDATA[停水]]></Title></item></Articles></xml>',
  )
})
