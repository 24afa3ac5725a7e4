import type { WechatReply } from '../contract/reply.ts'

type Rule = Pick<WechatReply, 'event' | 'keywords' | 'matchType' | 'sort' | 'id'>

/** Full-width letters and upper case are the same word to somebody who types it. */
export const normalizeKeyword = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

const matches = (rule: Rule, text: string, kind: 'exact' | 'contains'): boolean =>
  (rule.matchType ?? 'exact') === kind &&
  (rule.keywords ?? []).some(keyword => {
    const word = normalizeKeyword(keyword)
    if (!word) return false
    return kind === 'exact' ? word === text : text.includes(word)
  })

/**
 * The rule that answers a text: an exact keyword before one that the text contains, the smaller order first,
 * and the default where there is none (WX-1).
 */
export function chooseReply<R extends Rule>(rules: readonly R[], text: string): R | undefined {
  const word = normalizeKeyword(text)
  const ordered = rules.toSorted((a, b) => (a.sort ?? 0) - (b.sort ?? 0) || a.id - b.id)
  const byKeyword = ordered.filter(rule => rule.event === 'keyword')
  return (
    byKeyword.find(rule => matches(rule, word, 'exact')) ??
    byKeyword.find(rule => matches(rule, word, 'contains')) ??
    ordered.find(rule => rule.event === 'otherwise')
  )
}

type Draft = Pick<WechatReply, 'event' | 'keywords' | 'replyType' | 'replyContent' | 'materialId'>

const maxKeyword = 30

function keywordFault({ event, keywords = [] }: Draft): string | undefined {
  if (event !== 'keyword') return undefined
  const words = keywords.map(normalizeKeyword).filter(Boolean)
  if (!words.length) return '请填写关键词'
  if (new Set(words).size < words.length) return '关键词重复，请删除多余的'
  return words.some(word => [...word].length > maxKeyword) ? `关键词不超过 ${maxKeyword} 字` : undefined
}

/** Faults of a rule by the field that has them. */
export function replyFaults(draft: Draft): readonly { readonly Field: string; readonly Message: string }[] {
  const keyword = keywordFault(draft)
  const isText = draft.replyType === 'text'
  const content = draft.replyContent?.trim() ?? ''
  return [
    ...(keyword === undefined ? [] : [{ Field: 'Keywords', Message: keyword }]),
    ...(isText && !content ? [{ Field: 'ReplyContent', Message: '请填写回复内容' }] : []),
    ...(!isText && !draft.materialId ? [{ Field: 'MaterialID', Message: '请选择素材' }] : []),
  ]
}
