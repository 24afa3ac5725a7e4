/** What a device sends, read with distrust: of another kind or too long it is nothing. */
type SiteData = Readonly<Record<string, unknown>>

export function siteText(data: SiteData, key: string, max: number): string | undefined {
  const value = data[key]
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' && text.length <= max ? text.trim() : undefined
}

export const siteNumber = (data: SiteData, key: string): number | undefined => {
  const value = data[key]
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}
