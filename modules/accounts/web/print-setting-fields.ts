import { keysOf } from '#kit/contract/field.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { docType } from '../contract/print-settings.ts'
import { placeholdersByDocType } from '../domain/print-placeholders.ts'
import { canBeLandscape, type DocType, type PaperSize, type PrintSetting } from '../domain/print-settings.ts'
import { createPartsControl, type ChosenParts } from './print-parts.tsx'

export const docTypes = keysOf(docType)
const partsControls = Object.fromEntries(docTypes.map(k => [k, createPartsControl(k)])) as Record<
  DocType,
  Control
>

/** The form of a setting, group by group. */
export const getFieldGroups = (d: DocType) => [
  {
    title: '纸张',
    keys: [
      {
        key: 'paperSize',
        wide: true,
        deriveValues: (v: PaperSize | undefined) =>
          v && !canBeLandscape(v) ? { landscape: false } : undefined,
      },
      {
        key: 'landscape',
        isHidden: (v: Partial<PrintSetting>) => !v.paperSize || !canBeLandscape(v.paperSize),
      },
      'fontSize',
      'marginTop',
      'marginBottom',
      'marginLeft',
      'marginRight',
    ],
  },
  {
    title: '内容',
    keys: [
      {
        key: 'title',
        wide: true,
        help: `公司名称印在前面。标题、页眉、页脚可用占位符：${placeholdersByDocType[d].map(w => `{${w}}`).join(' ')}`,
      },
      { key: 'logo', wide: true },
      {
        key: 'parts',
        control: partsControls[d],
        wide: true,
        otherKeys: ['labels'],
        spreadValue: (v: unknown) => {
          const { parts, labels } = v as ChosenParts
          return { parts, labels }
        },
      },
      'showSeal',
      { key: 'header', wide: true },
      { key: 'footer', wide: true },
    ],
  },
  { title: '联次', keys: ['copies', { key: 'copyNames', wide: true }] },
]
