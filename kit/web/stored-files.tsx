import { Icon } from './icons.tsx'
import { formatFileSize, useStoredFiles } from './use-stored-files.ts'
import './files.css'

/** Stored files by their keys, to be opened or kept; without any it says 无. */
export function StoredFiles({ fileKeys }: { readonly fileKeys: readonly string[] }) {
  const files = useStoredFiles(fileKeys)
  if (!fileKeys.length) return <span className="absent">无</span>
  return (
    <ul className="stored-files">
      {files?.map(file => (
        <li key={file.key}>
          <a href={file.url} target="_blank" rel="noreferrer">
            <Icon name="file" />
            <span>{file.name}</span>
            <small>{formatFileSize(file.size)}</small>
          </a>
        </li>
      ))}
    </ul>
  )
}
