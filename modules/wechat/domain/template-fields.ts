/** The fields that a template of the platform has, in its order: `{{thing1.DATA}}` is `thing1`. */
export const fieldsOfTemplate = (content: string): string[] => [
  ...new Set([...content.matchAll(/\{\{\s*([\w-]+)\.DATA\s*\}\}/g)].map(match => match[1] ?? '')),
]

/** What is wrong with the fields that are filled in, going by the template; nothing where they fit. */
export function templateFieldFault(content: string, names: readonly string[]): string | undefined {
  const fields = fieldsOfTemplate(content)
  const unknown = names.find(name => !fields.includes(name))
  if (unknown !== undefined) return `字段「${unknown}」不在微信的模板中，可用 ${fields.join('、')}`
  const missing = fields.filter(field => !names.includes(field))
  return missing.length ? `缺少微信模板的字段 ${missing.join('、')}，请添加` : undefined
}
