import { useEffect, useRef, useState } from 'react'
import { shrinkPhoto } from '#kit/web/phone/shrink-photo.ts'
import { Status } from '#kit/web/status.tsx'
import { checkPhoto, type PhotoCheck } from '../domain/face-photo.ts'
import { measurePhoto } from './measure-photo.ts'

export interface FacePhoto {
  readonly file: File
  readonly checks: readonly PhotoCheck[]
}

export const isGoodPhoto = ({ checks }: FacePhoto): boolean =>
  checks.every(({ fault }) => fault === undefined)

interface FacePhotoFieldProps {
  readonly value: FacePhoto | undefined
  readonly onChange: (photo: FacePhoto | undefined) => void
}

/** The address of a picture that is not sent yet. */
function useLocalUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = file && URL.createObjectURL(file)
    setUrl(made)
    return () => {
      if (made) {
        URL.revokeObjectURL(made)
      }
    }
  }, [file])
  return url
}

/** A face from the camera or the album, with what was found of its size, light and sharpness. */
export function FacePhotoField({ value, onChange }: FacePhotoFieldProps) {
  const camera = useRef<HTMLInputElement>(null)
  const album = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string>()
  const url = useLocalUrl(value?.file)
  const take = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0]
    input.value = ''
    if (!file) return
    setFault(undefined)
    try {
      const checks = checkPhoto(await measurePhoto(file))
      onChange({ file: await shrinkPhoto(file, 'face.jpg'), checks })
    } catch {
      setFault('无法读取图片，请重拍或换一张')
    }
  }
  return (
    <div className="field face-photo" role="group" aria-label="人脸照片">
      <span className="label">
        人脸照片<small>正面免冠，光线均匀，无遮挡</small>
      </span>
      {url && <img src={url} alt="已选的照片" />}
      {value && (
        <ul aria-label="照片检查">
          {value.checks.map(check => (
            <li key={check.label}>
              <Status tone={check.fault ? 'bad' : 'done'}>{check.label}</Status>
              <span>{check.fault ?? '合格'}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="why">
        <button type="button" className="big" onClick={() => camera.current?.click()}>
          {value ? '重拍' : '拍照'}
        </button>
        <button type="button" className="big" onClick={() => album.current?.click()}>
          选择照片
        </button>
      </div>
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="user"
        hidden
        aria-label="人脸照片：拍照"
        onChange={event => void take(event.target)}
      />
      <input
        ref={album}
        type="file"
        accept="image/jpeg,image/png"
        hidden
        aria-label="人脸照片：选择照片"
        onChange={event => void take(event.target)}
      />
    </div>
  )
}
