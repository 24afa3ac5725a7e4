import { useEffect, useRef, useState, type RefObject } from 'react'
import { openQrReader, pictureOfFile } from './qr-reader.ts'
import './qr-scanner.css'

interface QrScannerProps {
  /** What is above the picture. */
  readonly title: string
  /** What was wrong with the last code, or that it was accepted. */
  readonly message?: string | undefined
  readonly onCode: (code: string) => void
  readonly onClose: () => void
}

/** The light of a camera is no part of the standard types yet. */
type LightCapabilities = MediaTrackCapabilities & { readonly torch?: boolean }
type LightConstraint = MediaTrackConstraintSet & { readonly torch: boolean }

const pauseMs = 120

async function openCamera(): Promise<MediaStream> {
  if (!('mediaDevices' in navigator)) throw new Error('此页面不能使用相机，请用 HTTPS 地址打开，或拍照识别')
  try {
    return await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
      audio: false,
    })
  } catch (error) {
    const isDenied = error instanceof DOMException && error.name === 'NotAllowedError'
    const text = isDenied ? '未允许使用相机，请在浏览器设置中允许，或拍照识别' : '无法打开相机，请拍照识别'
    throw new Error(text, { cause: error })
  }
}

/** Shows the camera and hands over each code that it sees, the same one again only after another. */
function useCamera(video: RefObject<HTMLVideoElement | null>, onCode: (code: string) => void) {
  const [fault, setFault] = useState<string>()
  const [track, setTrack] = useState<MediaStreamTrack>()
  const latest = useRef(onCode)
  latest.current = onCode
  useEffect(() => {
    const closing = new AbortController()
    let stream: MediaStream | undefined
    const run = async (): Promise<void> => {
      const [reader, opened] = await Promise.all([openQrReader(), openCamera()])
      stream = opened
      const element = video.current
      if (closing.signal.aborted || !element) return stop()
      element.srcObject = stream
      setTrack(stream.getVideoTracks()[0])
      await element.play().catch(() => undefined)
      let last: string | undefined
      while (!closing.signal.aborted) {
        const code = element.readyState >= 2 ? await reader.read(element).catch(() => undefined) : undefined
        if (code !== undefined && code !== last) {
          last = code
          latest.current(code)
        }
        await new Promise(resolve => setTimeout(resolve, pauseMs))
      }
    }
    const stop = (): void => stream?.getTracks().forEach(each => each.stop())
    run().catch((error: unknown) => setFault(error instanceof Error ? error.message : '无法打开相机'))
    return () => {
      closing.abort()
      stop()
    }
  }, [video])
  return { fault, track }
}

/** Switches the light of the camera, where it has one: rounds are walked at night. */
function LightButton({ track }: { readonly track: MediaStreamTrack | undefined }) {
  const [isOn, setOn] = useState(false)
  const hasLight = (track?.getCapabilities?.() as LightCapabilities | undefined)?.torch === true
  if (!track || !hasLight) return null
  const toggle = async (): Promise<void> => {
    const light: LightConstraint = { torch: !isOn }
    await track.applyConstraints({ advanced: [light] })
    setOn(!isOn)
  }
  return (
    <button type="button" className="big" aria-pressed={isOn} onClick={() => void toggle()}>
      手电筒
    </button>
  )
}

/** Scans QR codes with the camera of a phone; a photo will do where that is not possible. */
export function QrScanner({ title, message, onCode, onClose }: QrScannerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const photo = useRef<HTMLInputElement>(null)
  const [photoFault, setPhotoFault] = useState<string>()
  const { fault, track } = useCamera(video, onCode)
  const readPhoto = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setPhotoFault(undefined)
    const code = await Promise.all([openQrReader(), pictureOfFile(file)])
      .then(([reader, picture]) => reader.read(picture))
      .catch(() => undefined)
    if (code === undefined) {
      setPhotoFault('照片中没有识别到二维码，请靠近重拍')
    } else {
      onCode(code)
    }
  }
  const shownFault = photoFault ?? fault
  return (
    <div className="qr-scanner" role="dialog" aria-modal="true" aria-label={title}>
      <h2>{title}</h2>
      <div className="view">
        <video ref={video} muted playsInline aria-label="相机画面" />
        <i aria-hidden="true" />
      </div>
      <p role="status">{message ?? '将二维码放入框内'}</p>
      {shownFault !== undefined && (
        <p className="fault" role="alert">
          {shownFault}
        </p>
      )}
      <div className="buttons">
        <LightButton track={track} />
        <button type="button" className="big" onClick={() => photo.current?.click()}>
          拍照识别
        </button>
        <button type="button" className="big" onClick={onClose}>
          关闭
        </button>
      </div>
      <input
        ref={photo}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label="二维码照片"
        onChange={event => {
          void readPhoto(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </div>
  )
}
