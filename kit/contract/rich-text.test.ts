import { expect, it } from 'vitest'
import { isEmptyRichText, keyOfSource, plainTextOf, richTextFileKeys, withPictureUrls } from './rich-text.ts'

const key = 'a'.repeat(40)
const html = `<p>停水 &lt;2&gt; 栋</p><ul><li>甲</li><li>乙<br>丙</li></ul><img src="file:${key}" alt="图">`

it('knows the stored files of a text, each once', () => {
  expect(richTextFileKeys(html + html)).toEqual([key])
  expect(richTextFileKeys('<img src="https://a.cn/b.png"><p>file:x</p>')).toEqual([])
  expect(keyOfSource(`file:${key}`)).toBe(key)
  expect(keyOfSource('file:../etc')).toBeUndefined()
})

it('shows a picture at its address and leaves out one that is not open', () => {
  expect(withPictureUrls(html, () => '/f?a=1&b="')).toContain('src="/f?a=1&amp;b=&quot;"')
  expect(withPictureUrls(html, () => undefined)).not.toContain('<img')
})

it('gives the words, one line per paragraph', () => {
  expect(plainTextOf(html)).toBe('停水 <2> 栋\n甲\n乙\n丙')
  expect(isEmptyRichText('<p> &nbsp;</p><p></p>')).toBe(true)
  expect(isEmptyRichText(`<p></p><img src="file:${key}">`)).toBe(false)
})
