import type { FieldFault } from '#kit/contract/wire.ts'
import type { InviteTemplate, TemplatePart } from '../contract/template.ts'

type Layout = Pick<InviteTemplate, 'width' | 'height' | 'parts'>

const colorPattern = /^#[\dA-Fa-f]{6}$/

/** The code is a square as wide as its part; texts are a line and a half high for each line. */
export const heightOfPart = ({ part, width, fontSize }: TemplatePart): number =>
  part === 'qr' ? width : Math.ceil(fontSize * 1.5)

function partFaults(part: TemplatePart, { width, height }: Layout): string[] {
  return [
    ...(part.part === 'text' && !part.text?.trim() ? ['请填写文字'] : []),
    ...(part.color !== undefined && !colorPattern.test(part.color) ? ['颜色应如 #333333'] : []),
    ...(part.x + part.width > width || part.y + heightOfPart(part) > height
      ? [`超出图片（${width} × ${height}），请调整位置或宽度`]
      : []),
  ]
}

/** A picture shows the code, and every part of it is in the picture. */
export const templateFaults = (layout: Layout): FieldFault[] => [
  ...(layout.parts.some(({ part }) => part === 'qr')
    ? []
    : [{ Field: 'Content', Message: '邀请函须有二维码，请添加' }]),
  ...layout.parts.flatMap((part, i) =>
    partFaults(part, layout).map(Message => ({ Field: 'Content', Message: `第 ${i + 1} 项：${Message}` })),
  ),
]

const centred = { x: 45, width: 660, align: 'center', color: '#1A2329' } as const

/** Of a project that has published none. */
export const plainTemplate: Layout & { readonly background?: string | undefined } = {
  width: 750,
  height: 1100,
  parts: [
    { ...centred, part: 'estateName', y: 60, fontSize: 44 },
    { ...centred, part: 'text', text: '访客邀请函', y: 140, fontSize: 36, color: '#0B6B75' },
    { ...centred, part: 'visitorName', y: 230, fontSize: 40 },
    { ...centred, part: 'qr', x: 195, y: 330, width: 360, fontSize: 28 },
    { ...centred, part: 'code', y: 710, fontSize: 40 },
    { ...centred, part: 'period', y: 800, fontSize: 28 },
    { ...centred, part: 'place', y: 860, fontSize: 28 },
    { ...centred, part: 'hostName', y: 920, fontSize: 28 },
    { ...centred, part: 'text', text: '到访时请向门岗出示', y: 1010, fontSize: 26, color: '#5A666E' },
  ],
}
