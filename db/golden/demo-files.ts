import { crc32, deflateSync } from 'node:zlib'

/** What a demo file holds, made here: a repository keeps no pictures of nobody's houses. */
export interface DemoContent {
  readonly bytes: Buffer
  readonly type: string
}

const textContent = (text: string, type = 'text/plain'): DemoContent => ({
  bytes: Buffer.from(text, 'utf8'),
  type,
})

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

export type Colour = readonly [red: number, green: number, blue: number]

const sky: Colour = [196, 219, 232]
const lawn: Colour = [146, 176, 124]
const facade: Colour = [226, 214, 196]
const glass: Colour = [88, 110, 128]

/** A row of houses under the sky, distinguished by `houses`. */
function colourAt(x: number, y: number, width: number, height: number, houses: number): Colour {
  if (y > height * 0.82) return lawn
  const house = Math.floor((x / width) * houses)
  const inside = (x / width) * houses - house
  const roof = height * (0.2 + 0.08 * (house % 3))
  if (y < roof || inside < 0.08 || inside > 0.92) return sky
  const isWindow = Math.floor(inside * 24) % 4 >= 2 && Math.floor((y - roof) / 14) % 2 === 1
  return isWindow ? glass : facade
}

/** A picture, point by point. */
export function drawPicture(
  width: number,
  height: number,
  colourOf: (x: number, y: number) => Colour,
): DemoContent {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3)
    for (let x = 0; x < width; x++) {
      row.set(colourOf(x, y), 1 + x * 3)
    }
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a channel, three channels.
  header.set([8, 2, 0, 0, 0], 8)
  const bytes = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return { bytes, type: 'image/png' }
}

function pictureOf(houses: number, width = 480, height = 300): DemoContent {
  return drawPicture(width, height, (x, y) => colourAt(x, y, width, height, houses))
}

/** A floor plan of rooms along a corridor, one page. */
function planOf(rooms: number): DemoContent {
  const width = 480 / rooms
  const boxes = Array.from(
    { length: rooms },
    (_, i) => `${56 + i * width} 440 ${width} 150 re ${56 + i * width} 240 ${width} 150 re`,
  )
  const drawing = `1.5 w 56 240 480 350 re ${boxes.join(' ')} S`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return { bytes: Buffer.from(text, 'latin1'), type: 'application/pdf' }
}

const noticeText = `停车场收费公示

临时车：首 30 分钟免费，之后每小时 5 元，24 小时封顶 40 元。
月卡车：地下 350 元/月，地上 200 元/月。
咨询电话见客服中心公告栏。
`

const emergencyText = `应急预案汇编

一、电梯困人：客服 1 分钟内安抚，工程 5 分钟内到场，维保单位 30 分钟内到场。
二、火情：消控室确认后报 119，启动广播疏散，切断非消防电源。
三、跑水：关闭上级阀门，通知相邻楼层，登记受损情况并拍照留存。
`

const checkRows = Array.from(
  { length: 24 },
  (_, i) => `${(i % 12) + 1} 栋,${i < 12 ? '灭火器' : '消火栓'},${8 + (i % 5)},合格`,
)

const logLines = Array.from(
  { length: 240 },
  (_, i) =>
    `2026-11-${String(1 + (i % 20)).padStart(2, '0')} 0${i % 9}:${String((i * 7) % 60).padStart(2, '0')}:00 GW-0${1 + (i % 3)} 心跳正常 延迟 ${12 + (i % 30)} ms`,
)

interface DemoFile {
  readonly name: string
  readonly content: DemoContent
  readonly labels?: readonly string[]
}

export interface DemoFolder {
  readonly name: string
  /** `DirectoryType`: 10 push, 20 kernel. */
  readonly type?: 10 | 20
  readonly files?: readonly DemoFile[]
  readonly folders?: readonly DemoFolder[]
}

const pictures = (names: readonly string[]): DemoFile[] =>
  names.map((name, i) => ({ name, content: pictureOf(3 + i) }))

const plans = (names: readonly string[]): DemoFile[] =>
  names.map((name, i) => ({ name, content: planOf(4 + i), labels: ['竣工'] }))

/** The folders of a project, as a company keeps them. */
export const demoFolders: readonly DemoFolder[] = [
  {
    name: '推送文件',
    type: 10,
    files: [{ name: '设备日志_20261101.log', content: textContent(logLines.join('\n')) }],
  },
  { name: '内核升级', type: 20 },
  {
    name: '竣工图纸',
    folders: [
      { name: '建筑', files: plans(['1 栋标准层平面图.pdf', '2 栋标准层平面图.pdf', '地下车库平面图.pdf']) },
      { name: '给排水', files: plans(['给水立管系统图.pdf', '雨水排水平面图.pdf']) },
    ],
  },
  {
    name: '消防维保',
    files: [
      {
        name: '2026 年第四季度消防器材检查.csv',
        content: textContent(`楼栋,器材,数量,结果\n${checkRows.join('\n')}\n`, 'text/csv'),
        labels: ['消防', '季度检查'],
      },
      ...pictures(['消防通道现场照片.png', '消控室现场照片.png']),
    ],
  },
  { name: '电梯年检', files: plans(['电梯机房平面图.pdf']) },
  { name: '业主装修备案', folders: [{ name: '3 栋', files: pictures(['3-2-1502 装修前.png']) }] },
]

/** The files beside the folders. */
export const demoFiles: readonly DemoFile[] = [
  { name: '停车场收费公示.txt', content: textContent(noticeText), labels: ['公示', '停车'] },
  { name: '应急预案汇编.txt', content: textContent(emergencyText), labels: ['应急'] },
  ...pictures(['小区正门现场照片.png', '3 栋 2 单元漏水现场照片（物业客服中心登记编号 20261103）.png']),
]

/** Deleted so many hours ago: one of them has less than a day left. */
export const demoDeleted: readonly { readonly file: DemoFile; readonly hours: number }[] = [
  { file: { name: '旧版收费公示.txt', content: textContent(noticeText) }, hours: 50 },
  { file: { name: '重复的现场照片.png', content: pictureOf(5) }, hours: 236 },
]
