import { keysOf } from '#kit/contract/field.ts'
import { recordFromKeys } from '#kit/domain/records.ts'
import { docType } from '../contract/print-settings.ts'
import { placeholdersByDocType } from '../domain/print-placeholders.ts'
import {
  canBeLandscape,
  getPaperMargins,
  type DocType,
  type PaperSize,
  type PrintSetting,
} from '../domain/print-settings.ts'
import { createPartsControl, isChosenParts } from './print-parts.tsx'

export const docTypes = keysOf(docType)
const partsControls = recordFromKeys(docTypes, createPartsControl)

/** The form of a setting, group by group. */
export const getFieldGroups = (documentType: DocType) => [
  {
    title: '纸张',
    keys: [
      {
        key: 'paperSize',
        wide: true,
        deriveValues: (v: PaperSize | undefined) =>
          v && { ...getPaperMargins(v), ...(canBeLandscape(v) ? {} : { landscape: false }) },
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
        help: `公司名称显示在标题前。标题、页眉、页脚可用占位符：${placeholdersByDocType[documentType].map(w => `{${w}}`).join(' ')}`,
      },
      'logo',
      {
        key: 'parts',
        control: partsControls[documentType],
        otherKeys: ['labels'],
        spreadValue: (v: unknown) => (isChosenParts(v) ? { parts: v.parts, labels: v.labels } : {}),
      },
      'showSeal',
      'header',
      'footer',
    ],
  },
  { title: '联次', keys: ['copies', { key: 'copyNames', wide: true }] },
]
