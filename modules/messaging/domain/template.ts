import type { Audience } from '../contract/audience.ts'

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

/** A file of numbers, as far as its columns fill in variables. */
export interface FilledColumns {
  readonly variables: readonly string[]
  readonly hasRoom: boolean
}

/** Which variables the receivers of a message fill in. */
export interface FillableVariables {
  /** Not known where a file of numbers has not been read yet. */
  readonly names: readonly string[] | undefined
  /** Why the others that texts have would leave a hole. */
  readonly lacking: Readonly<Record<string, string>>
}

const ofResidents: FillableVariables = { names: builtInVariables, lacking: {} }

const ofStaff: FillableVariables = {
  names: ['name'],
  lacking: { room: '员工无房屋', project: '员工无所属项目' },
}

const noProject = { project: '自有号码无所属项目' }

const ofTypedNumbers: FillableVariables = {
  names: ['name'],
  lacking: { ...noProject, room: '手工填写的号码无房屋（号码文件可含「房屋」一列）' },
}

function ofNumberFile(file: FilledColumns | undefined): FillableVariables {
  if (!file) return { names: undefined, lacking: noProject }
  const { hasRoom, variables } = file
  return {
    names: ['name', ...(hasRoom ? ['room'] : []), ...variables],
    lacking: hasRoom ? noProject : { ...noProject, room: '号码文件的「房屋」一列未填写' },
  }
}

/** Own numbers belong to no project, and have a room in a file alone; staff have neither. */
export function audienceVariables(
  { scopeType, scopeJson = {} }: Partial<Audience>,
  file?: FilledColumns,
): FillableVariables {
  if (scopeType === 'numbers')
    return scopeJson.numberFileId === undefined ? ofTypedNumbers : ofNumberFile(file)
  const hasStaff = scopeType === 'departments' || (scopeType === 'persons' && scopeJson.staffIds?.length)
  return hasStaff ? ofStaff : ofResidents
}

const lackingFault = (reason: string, name: string, template: string | undefined): string =>
  template === undefined
    ? `${reason}，请删除变量 {${name}}`
    : `${reason}，模板「${template}」的变量 {${name}} 无法填写，请更换模板或发送范围`

/** What is wrong with the variables of a text, or of a named template; undefined where all are filled in. */
export function variableFault(
  text: string,
  { names, lacking }: FillableVariables = ofResidents,
  template?: string,
): string | undefined {
  const isWrong = (name: string): boolean =>
    !(names ?? [name]).includes(name) || (lacking[name] !== undefined && known.has(name))
  const wrong = variablesOf(text).find(isWrong)
  if (wrong === undefined) return bracesFault(text)
  const builtIn = known.has(wrong) ? wrong : builtInByHeading.get(wrong)
  const reason = builtIn === undefined ? undefined : lacking[builtIn]
  if (reason !== undefined) return lackingFault(reason, wrong, template)
  if (builtIn !== undefined) return `变量 {${wrong}} 请写成 {${builtIn}}`
  return `变量 {${wrong}} 不能识别，可用 ${(names ?? []).map(name => `{${name}}`).join('、')}`
}

const builtInLabels: Readonly<Record<string, string>> = { name: '姓名', room: '房屋', project: '项目' }

/** `{name} 姓名、{room} 房屋、{金额}`; the name alone where the columns of a file are not known. */
export const variablesText = ({ names = ['name'] }: FillableVariables): string =>
  names.map(name => [`{${name}}`, builtInLabels[name]].filter(Boolean).join(' ')).join('、')

/** As far as the text alone shows it: whether braces come in pairs, and are those of variables. */
export function bracesFault(text: string): string | undefined {
  if (/[｛｝]/.test(text)) return '变量应使用半角大括号 {}'
  return /[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, '')) ? '大括号应成对出现，只用于变量' : undefined
}
