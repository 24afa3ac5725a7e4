import { StartupError } from './postgres/startup-error.ts'

/** One setting of the installation, read from the environment; an empty value counts as none. */
export interface Setting<T> {
  readonly name: string
  /** What the page of settings shows as the default. */
  readonly fallback: string
  /** What it does, as text for the administrator of the installation. */
  readonly about: string
  /** Refuses an implausible value, with a message. */
  read(): T
}

/** The settings of one part of the product, in the order of their page. */
export interface SettingGroup {
  readonly title: string
  readonly settings: readonly Setting<unknown>[]
}

const environmentText = (name: string): string => process.env[name] ?? ''

/** A text; `check` says what one that cannot be meant should be (`应为…`). A secret is never repeated. */
export const textSetting = (
  name: string,
  fallback: string,
  about: string,
  check?: (text: string) => string | undefined,
): Setting<string> => ({
  name,
  fallback,
  about,
  read: () => {
    const text = environmentText(name)
    const fault = text ? check?.(text) : undefined
    if (fault !== undefined) throw new StartupError(`设置 ${name} 的值不对，${fault}。`)
    return text || fallback
  },
})

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** The address of a service that is called by HTTP. */
export const addressSetting = (name: string, fallback: string, about: string): Setting<string> =>
  textSetting(name, fallback, about, text =>
    isWebAddress(text) ? undefined : '应为 http:// 或 https:// 开头的地址',
  )

/** Reads every setting, so that a start ends with all the values that cannot be meant, not with the first. */
export function assertSettings(groups: readonly SettingGroup[]): void {
  const faults = groups.flatMap(group =>
    group.settings.flatMap(setting => {
      try {
        setting.read()
        return []
      } catch (error) {
        if (error instanceof StartupError) return [error.message]
        throw error
      }
    }),
  )
  if (faults.length) throw new StartupError(faults.join('\n'))
}

/** A whole number within bounds; without a fallback it is undefined when not given. */
export function numberSetting<F extends number | undefined>(
  name: string,
  fallback: F,
  { min, max }: { readonly min: number; readonly max: number },
  about: string,
): Setting<number | F> {
  return {
    name,
    fallback: fallback === undefined ? '' : String(fallback),
    about,
    read: () => {
      const text = environmentText(name)
      if (!text) return fallback
      const value = Number(text)
      if (!Number.isInteger(value) || value < min || value > max)
        throw new StartupError(`设置 ${name} 的值「${text}」不对，应为 ${min} 到 ${max} 的整数。`)
      return value
    },
  }
}

const flagValues = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

export const flagSetting = (name: string, fallback: boolean, about: string): Setting<boolean> => ({
  name,
  fallback: fallback ? '1' : '0',
  about,
  read: () => {
    const text = environmentText(name)
    if (!text) return fallback
    const value = flagValues.get(text.toLowerCase())
    if (value === undefined) throw new StartupError(`设置 ${name} 的值「${text}」不对，应为 1 或 0。`)
    return value
  },
})

/** One of a few words. */
export const wordSetting = <W extends string>(
  name: string,
  fallback: NoInfer<W> | '',
  words: readonly W[],
  about: string,
): Setting<W | ''> => ({
  name,
  fallback,
  about,
  read: () => {
    const text = environmentText(name)
    if (!text) return fallback
    const word = words.find(each => each === text)
    if (word === undefined)
      throw new StartupError(`设置 ${name} 的值「${text}」不对，应为 ${words.join('、')} 之一。`)
    return word
  },
})

/** All settings whose names begin alike, by the rest of the name in lower case. */
export const prefixedSetting = (
  prefix: string,
  about: string,
): Setting<Readonly<Record<string, string>>> => ({
  name: `${prefix}…`,
  fallback: '',
  about,
  read: () =>
    Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) =>
        name.startsWith(prefix) && value ? [[name.slice(prefix.length).toLowerCase(), value]] : [],
      ),
    ),
})
