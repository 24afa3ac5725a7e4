const known: ReadonlySet<string> = new Set(['name', 'room', 'project'])

const variablesOf = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)].map(match => match[1] ?? '')

/** What a line of a file has to fill in: its own variables and the room. A missing name becomes 住户. */
export const requiredVariablesOf = (text: string): string[] => [
  ...new Set(variablesOf(text).filter(name => name !== 'name' && name !== 'project')),
]

/** The variables of a text that a file of numbers has to fill in, each once. */
export const fileVariablesOf = (text: string): string[] => [
  ...new Set(variablesOf(text).filter(name => !known.has(name))),
]

/** What is wrong with the variables of a text; undefined where they can all be filled in, by a file too. */
export function variableFault(text: string, fileVariables: readonly string[] = []): string | undefined {
  const unknown = fileVariablesOf(text).find(name => !fileVariables.includes(name))
  const usable = ['name', 'room', 'project', ...fileVariables].map(name => `{${name}}`).join('、')
  if (unknown !== undefined) return `变量 {${unknown}} 不能识别，可用 ${usable}`
  return bracesFault(text)
}

/** As far as the text alone shows it: whether braces come in pairs. */
export const bracesFault = (text: string): string | undefined =>
  /[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, '')) ? '大括号应成对出现，只用于变量' : undefined
