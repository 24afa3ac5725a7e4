import {
  AudioFilled,
  FileExcelFilled,
  FileFilled,
  FileImageFilled,
  FilePdfFilled,
  FilePptFilled,
  FileTextFilled,
  FileWordFilled,
  FileZipFilled,
  FolderFilled,
  VideoCameraFilled,
} from '@ant-design/icons'
import type { ComponentType } from 'react'
import { fileKindOf, type FileKind } from '../domain/file-kind.ts'
import type { FileNode } from './node.ts'

const icons: Readonly<Record<FileKind, ComponentType>> = {
  folder: FolderFilled,
  image: FileImageFilled,
  pdf: FilePdfFilled,
  sheet: FileExcelFilled,
  document: FileWordFilled,
  slides: FilePptFilled,
  archive: FileZipFilled,
  video: VideoCameraFilled,
  audio: AudioFilled,
  text: FileTextFilled,
  other: FileFilled,
}

export const kindOfNode = ({ type, name }: Pick<FileNode, 'type' | 'name'>): FileKind =>
  type === 'folder' ? 'folder' : fileKindOf(name)

/** The name beside it says what it is: the icon is not read aloud. */
export function NodeIcon({ node }: { readonly node: Pick<FileNode, 'type' | 'name'> }) {
  const kind = kindOfNode(node)
  const Drawing = icons[kind]
  return (
    <span className="file-icon" data-kind={kind} aria-hidden="true">
      <Drawing />
    </span>
  )
}

/** The end of a name tells files apart: a long one is cut in its middle. */
const tailLength = 8
const uncutLength = 12

export function MiddleEllipsis({ text }: { readonly text: string }) {
  const characters = [...text]
  const tail = characters.length > uncutLength ? characters.slice(-tailLength).join('') : ''
  return (
    <span className="middle-cut" title={text}>
      {tail ? (
        <>
          <span aria-hidden="true">{characters.slice(0, -tailLength).join('')}</span>
          <span aria-hidden="true">{tail}</span>
          <span className="aloud">{text}</span>
        </>
      ) : (
        <span>{text}</span>
      )}
    </span>
  )
}

/** What two lines of a card hold, a Chinese character counting two. */
const cardWidth = 34
const widthOf = (character: string): number => ((character.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1)

/** The longest beginning of a text that fits the width. */
function startOf(characters: readonly string[], width: number): string {
  let used = 0
  return characters.filter(character => (used += widthOf(character)) <= width).join('')
}

/** A name of two lines; what is longer is cut in its middle. */
export function TwoLines({ text }: { readonly text: string }) {
  const characters = [...text]
  const isLong = characters.reduce((sum, character) => sum + widthOf(character), 0) > cardWidth
  const tail = characters.slice(-tailLength)
  const tailWidth = tail.reduce((sum, character) => sum + widthOf(character), 0)
  return (
    <span className="two-lines" title={text}>
      {isLong ? (
        <>
          <span aria-hidden="true">{`${startOf(characters, cardWidth - tailWidth - 2)}…${tail.join('')}`}</span>
          <span className="aloud">{text}</span>
        </>
      ) : (
        text
      )}
    </span>
  )
}
