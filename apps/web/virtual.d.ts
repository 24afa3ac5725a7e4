declare module 'virtual:manifests' {
  export const manifests: readonly import('./browser-manifest.ts').BrowserManifest[]
}
