import { createElement, useMemo, type ReactNode } from 'react'
import { keyOfSource, richTextFileKeys } from '#kit/contract/rich-text.ts'
import { useFileUrls } from '../file-store.ts'
import './rich-text.css'

const plain = new Set(['p', 'h2', 'h3', 'strong', 'em', 'u', 's', 'ul', 'ol', 'li', 'blockquote'])
const empty = new Set(['br', 'hr'])
const isLink = (href: string): boolean => /^(?:https:\/\/|tel:\+?[0-9-]+$)/i.test(href)
const isPicture = (src: string): boolean => /^(?:https?:\/\/|\/(?!\/))/.test(src)

type UrlOf = (source: string) => string | undefined

const childrenOf = (parent: Node, urlOf: UrlOf): ReactNode[] =>
  [...parent.childNodes].map((node, i) => elementOf(node, i, urlOf))

function elementOf(node: Node, key: number, urlOf: UrlOf): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const tag = node.localName
  if (empty.has(tag)) return createElement(tag, { key })
  if (plain.has(tag)) return createElement(tag, { key }, ...childrenOf(node, urlOf))
  if (tag === 'a') {
    const href = node.getAttribute('href') ?? ''
    if (isLink(href))
      return (
        <a key={key} href={href} target="_blank" rel="noopener noreferrer">
          {childrenOf(node, urlOf)}
        </a>
      )
  }
  if (tag === 'img') {
    const src = urlOf(node.getAttribute('src') ?? '') ?? ''
    return isPicture(src) ? (
      <img key={key} src={src} alt={node.getAttribute('alt') ?? ''} loading="lazy" />
    ) : null
  }
  return tag === 'script' || tag === 'style' ? null : childrenOf(node, urlOf)
}

interface RichTextProps {
  readonly html: string
}

/**
 * A formatted text whose pictures have addresses (`openRichText`). The text was made harmless when it was
 * stored; here the same few elements are built one by one, so that nothing else could ever run.
 */
export const RichText = ({ html, urlOf = source => source }: RichTextProps & { readonly urlOf?: UrlOf }) => {
  const content = useMemo(
    () => childrenOf(new DOMParser().parseFromString(html, 'text/html').body, urlOf),
    [html, urlOf],
  )
  return <div className="rich-text">{content}</div>
}

/** A formatted text as it is stored, for those who have an account. */
export function StoredRichText({ html }: RichTextProps) {
  const keys = useMemo(() => richTextFileKeys(html), [html])
  const urls = useFileUrls(keys)
  const urlOf = useMemo<UrlOf>(() => {
    const byKey = new Map(keys.map((key, i) => [key, urls[i]]))
    return source => byKey.get(keyOfSource(source) ?? '')
  }, [keys, urls])
  return <RichText html={html} urlOf={urlOf} />
}
