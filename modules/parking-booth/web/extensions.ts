import type { Extensions } from '#kit/web/workbench.ts'

export const extensions: Extensions = {}
