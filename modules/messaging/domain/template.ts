const known: ReadonlySet<string> = new Set(['name', 'room', 'project'])

/** What is wrong with the variables of a text; undefined where they can all be filled in. */
export function variableFault(text: string): string | undefined {
  const unknown = [...text.matchAll(/\{([^{}]*)\}/g)]
    .map(match => match[1] ?? '')
    .find(name => !known.has(name))
  if (unknown !== undefined) return `变量 {${unknown}} 不能识别，可用 {name}、{room}、{project}`
  return /[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, '')) ? '大括号应成对出现，只用于变量' : undefined
}
