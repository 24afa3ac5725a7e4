export const builtInVariables: readonly string[] = ['name', 'room', 'project']

const known: ReadonlySet<string> = new Set(builtInVariables)

/** What people write for these, as the columns of a file are called. */
const builtInByHeading: ReadonlyMap<string, string> = new Map([
  ['姓名', 'name'],
  ['房屋', 'room'],
  ['项目', 'project'],
])

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
  const builtIn = unknown === undefined ? undefined : builtInByHeading.get(unknown)
  if (builtIn !== undefined) return `变量 {${unknown}} 请写成 {${builtIn}}`
  const usable = [...builtInVariables, ...fileVariables].map(name => `{${name}}`).join('、')
  if (unknown !== undefined) return `变量 {${unknown}} 不能识别，可用 ${usable}`
  return bracesFault(text)
}

/** As far as the text alone shows it: whether braces come in pairs. */
export const bracesFault = (text: string): string | undefined =>
  /[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, '')) ? '大括号应成对出现，只用于变量' : undefined
