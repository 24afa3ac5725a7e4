import { expect, it } from 'vitest'
import {
  buildSearchText,
  isWithinTriples,
  tripleCharacters,
  normalizeName,
  syllables,
} from './search-text.ts'

it('reads surnames as surnames', () => {
  expect(syllables('单雄信').join(' ')).toBe('shan xiong xin')
  expect(syllables('仇英').join(' ')).toBe('qiu ying')
  expect(syllables('重庆').join(' ')).toMatch(/qing$/)
  expect(syllables('买买提·吐尔逊')).toHaveLength(6)
})

it('a part is in the whole exactly where its spread is', () => {
  const names = ['张伟丽', '张张', 'aab', 'aba', '欧阳娜娜', '𠮷野家']
  const parts = ['张', '伟丽', '张张', 'aa', 'ab', 'ba', 'aba', '娜', '娜娜', '𠮷', '吉']
  for (const n of names) {
    for (const p of parts) {
      expect([n, p, tripleCharacters(n).includes(tripleCharacters(p))]).toEqual([n, p, n.includes(p)])
    }
  }
})

it('finds by name, pinyin, initials and phone', () => {
  const text = buildSearchText(['杨建国'], ['13800138000', undefined])
  for (const w of [
    'yangjianguo',
    'jianguo',
    'yjg',
    '13800',
    '8000',
    tripleCharacters('建国'),
    tripleCharacters('yj'),
    tripleCharacters('g'),
  ]) {
    expect(text).toContain(w)
  }
  expect(buildSearchText([undefined, 'Tom Lee'])).toContain('tomlee')
  expect(normalizeName('买买提·吐尔逊')).toBe('买买提吐尔逊')
})

it('knows which words a tripled text may contain', () => {
  for (const word of ['zzzzzz', 'zzz', 'sjj', 'ssj', 'ssjj', 'sssjjj', 'sjjjw', 'aab']) {
    expect([word, isWithinTriples(word)]).toEqual([word, true])
  }
  for (const word of ['yjg', 'zhang', 'jianguo', 'sjjw', 'zzzz1zz', '138']) {
    expect([word, isWithinTriples(word)]).toEqual([word, false])
  }
})
