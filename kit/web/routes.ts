import type { ComponentType } from 'react'
import type { Extensions } from './workbench.ts'

/**
 * How a module names the code of its screens, by the path of the nameplate. Each is fetched when it is first
 * opened.
 */
export type Routes = Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
export type { Extensions }
