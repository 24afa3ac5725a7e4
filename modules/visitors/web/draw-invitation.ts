import type { InvitationPicture, TemplatePart } from '../contract/template.ts'

const textOfPart = (part: TemplatePart, picture: InvitationPicture): string => {
  const times = `${picture.beginTime.slice(0, 16)} 至 ${picture.endTime.slice(0, 16)}`
  const texts: { readonly [P in TemplatePart['part']]: string | undefined } = {
    text: part.text,
    qr: undefined,
    code: `邀请码 ${picture.inviteNo}`,
    visitorName: picture.visitorName,
    hostName: `被访人 ${picture.hostName}`,
    place: picture.place,
    period: times,
    estateName: picture.estateName,
    plateNo: picture.plateNo && `车牌 ${picture.plateNo}`,
  }
  return texts[part.part] ?? ''
}

/** On white, whatever stands behind it, with the quiet zone that readers need. */
function drawCode(
  context: CanvasRenderingContext2D,
  { x, y, width }: TemplatePart,
  code: CanvasImageSource,
): void {
  context.fillStyle = 'white'
  context.fillRect(x, y, width, width)
  context.imageSmoothingEnabled = false
  context.drawImage(code, x, y, width, width)
}

const anchorOf = ({ align, x, width }: TemplatePart): number =>
  align === 'left' ? x : align === 'right' ? x + width : x + width / 2

function drawText(context: CanvasRenderingContext2D, part: TemplatePart, text: string): void {
  context.font = `${part.fontSize}px "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif`
  context.fillStyle = part.color ?? 'black'
  context.textAlign = part.align
  context.textBaseline = 'top'
  context.fillText(text, anchorOf(part), part.y + part.fontSize * 0.2, part.width)
}

/** Covers the picture, cut where its sides are in another ratio. */
function drawBackground(context: CanvasRenderingContext2D, image: HTMLImageElement): void {
  const { width, height } = context.canvas
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight)
  const [w, h] = [image.naturalWidth * scale, image.naturalHeight * scale]
  context.drawImage(image, (width - w) / 2, (height - h) / 2, w, h)
}

/** What a picture is drawn of besides its texts. */
export interface InvitationImages {
  readonly code: CanvasImageSource
  readonly background?: HTMLImageElement | undefined
}

/** Draws an invitation as its template says, over the background where there is one. */
export function drawInvitation(
  canvas: HTMLCanvasElement,
  picture: InvitationPicture,
  { code, background }: InvitationImages,
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  canvas.width = picture.width
  canvas.height = picture.height
  context.fillStyle = 'white'
  context.fillRect(0, 0, picture.width, picture.height)
  if (background) {
    drawBackground(context, background)
  }
  for (const part of picture.parts) {
    if (part.part === 'qr') {
      drawCode(context, part, code)
    } else {
      drawText(context, part, textOfPart(part, picture))
    }
  }
}
