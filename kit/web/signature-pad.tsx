import { useEffect, useRef, type PointerEvent } from 'react'
import { RequiredStar } from './required-star.tsx'
import './signature-pad.css'

interface SignaturePadProps {
  readonly label: string
  /** What the field asks for, read to those who do not see it. */
  readonly hint: string
  readonly isRequired?: boolean
  /** The drawn name as a picture; nothing once it is wiped. */
  readonly onChange: (picture: File | undefined) => void
}

const ink = 'black'
const paper = 'white'

const toFile = (canvas: HTMLCanvasElement): Promise<File | undefined> =>
  new Promise(resolve =>
    canvas.toBlob(
      blob => resolve(blob ? new File([blob], 'signature.png', { type: 'image/png' }) : undefined),
      'image/png',
    ),
  )

/** Dark on white whatever the theme: the picture is printed. */
function prepare(canvas: HTMLCanvasElement): void {
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = paper
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.strokeStyle = ink
  context.lineWidth = 4
  context.lineCap = 'round'
  context.lineJoin = 'round'
}

const pointOf = (event: PointerEvent<HTMLCanvasElement>): readonly [x: number, y: number] => {
  const box = event.currentTarget.getBoundingClientRect()
  return [
    ((event.clientX - box.left) / box.width) * event.currentTarget.width,
    ((event.clientY - box.top) / box.height) * event.currentTarget.height,
  ]
}

/** A field to sign in with a finger. */
export function SignaturePad({ label, hint, isRequired = false, onChange }: SignaturePadProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDrawing = useRef(false)
  useEffect(() => {
    if (canvas.current) {
      prepare(canvas.current)
    }
  }, [])
  const draw = (event: PointerEvent<HTMLCanvasElement>, begins: boolean): void => {
    const context = event.currentTarget.getContext('2d')
    if (!context || !isDrawing.current) return
    const [x, y] = pointOf(event)
    if (begins) {
      context.beginPath()
      context.moveTo(x, y)
    }
    context.lineTo(x, y)
    context.stroke()
  }
  const end = (): void => {
    if (!isDrawing.current || !canvas.current) return
    isDrawing.current = false
    void toFile(canvas.current).then(onChange)
  }
  const wipe = (): void => {
    if (canvas.current) {
      prepare(canvas.current)
    }
    onChange(undefined)
  }
  return (
    <div className="field signature-pad" role="group" aria-label={label}>
      <span className="label">
        {isRequired && <RequiredStar />}
        {label}
        <button type="button" className="big" onClick={wipe}>
          重签
        </button>
      </span>
      <canvas
        ref={canvas}
        width={656}
        height={320}
        role="img"
        aria-label={hint}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          isDrawing.current = true
          draw(event, true)
        }}
        onPointerMove={event => draw(event, false)}
        onPointerUp={end}
        onPointerCancel={end}
      />
    </div>
  )
}
