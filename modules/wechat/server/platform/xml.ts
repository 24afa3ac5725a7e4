import { XMLParser } from 'fast-xml-parser'

const maxCharacters = 60_000
const maxElements = 400

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  trimValues: true,
  processEntities: false,
})

const standardEntities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
}

export type XmlFields = Readonly<Record<string, string>>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The texts directly below `<xml>`. Throws where it is no such message, is too large, or declares types of
 * its own: entities that expand are never read.
 */
export function readXml(text: string): XmlFields {
  if (text.length > maxCharacters) throw new Error('the message is too large')
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Error('the message declares types of its own')
  if (text.split('<').length > maxElements) throw new Error('the message has too many elements')
  if (!/^\s*<xml>[^]*<\/xml>\s*$/.test(text)) throw new Error('the message is no <xml>')
  const parsed: unknown = parser.parse(text)
  const root = isRecord(parsed) ? parsed.xml : undefined
  if (!isRecord(root)) throw new Error('the message is no <xml>')
  return Object.fromEntries(
    Object.entries(root).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

/** A text in which nothing can end the section that it stands in. */
const section = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** Nested fields of a message: a number as it is, a text in a section, rows as `<item>`. */
export type XmlValue = string | number | XmlTree | readonly XmlTree[]
export interface XmlTree {
  readonly [name: string]: XmlValue
}

const isRows = (value: XmlValue): value is readonly XmlTree[] => Array.isArray(value)

function writeValue(value: XmlValue): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return section(value)
  if (isRows(value)) return value.map(row => `<item>${writeFields(row)}</item>`).join('')
  return writeFields(value)
}

const writeFields = (fields: XmlTree): string =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${writeValue(value)}</${name}>`)
    .join('')

export const writeXml = (fields: XmlTree): string => `<xml>${writeFields(fields)}</xml>`

/** For a text outside sections: what the five entities stand for. */
export const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, entity => standardEntities[entity] ?? entity)
