import { QrCode } from '#kit/web/qr-code.tsx'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useFileUrls } from '#kit/web/file-store.ts'
import type { InvitationPicture } from '../contract/template.ts'
import { drawInvitation } from './draw-invitation.ts'

function useImage(url: string | undefined): HTMLImageElement | undefined {
  const [image, setImage] = useState<HTMLImageElement>()
  useEffect(() => {
    setImage(undefined)
    if (!url) return undefined
    const loading = new Image()
    // Else the picture could not be saved.
    loading.crossOrigin = 'anonymous'
    loading.onload = () => setImage(loading)
    loading.src = url
    return () => {
      loading.onload = null
    }
  }, [url])
  return image
}

export interface InvitationCanvasProps {
  /** Somebody without an account gets the address of the background instead of its key. */
  readonly picture: InvitationPicture & { readonly backgroundUrl?: string | undefined }
  readonly canvas?: RefObject<HTMLCanvasElement | null>
}

const codeSize = 480

/** The picture of an invitation. */
export function InvitationCanvas({ picture, canvas }: InvitationCanvasProps) {
  const own = useRef<HTMLCanvasElement>(null)
  const target = canvas ?? own
  const code = useRef<HTMLDivElement>(null)
  const [url] = useFileUrls(picture.background ? [picture.background] : [])
  const background = useImage(picture.backgroundUrl ?? (url || undefined))
  useEffect(() => {
    const drawnCode = code.current?.querySelector('canvas')
    if (target.current && drawnCode) {
      drawInvitation(target.current, picture, { code: drawnCode, background })
    }
  }, [background, picture, target])
  return (
    <>
      <div ref={code} hidden>
        <QrCode value={picture.inviteNo} size={codeSize} type="canvas" />
      </div>
      <canvas
        ref={target}
        role="img"
        aria-label={`邀请函：${picture.visitorName}，邀请码 ${picture.inviteNo}`}
      />
    </>
  )
}
