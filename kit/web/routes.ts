import type { ComponentType } from 'react'
import type { Extensions } from './workbench.ts'

/** The code of a module's screens, by the path of the manifest. Each is fetched when it is first opened. */
export type Routes = Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
export type { Extensions }
