/** Where files go and come from; said once at start. `keep` answers the key. */
export interface FileStore { readonly keep: (file: File, onProgress?: (part: number) => void) => Promise<string>; readonly address: (key: string) => string }
let store: FileStore | undefined
export const linkFiles = (s: FileStore): void => { store = s }
export const fileAddress = (key: string): string => (/^(https?:|data:|blob:|\/)/.test(key) ? key : store?.address(key) ?? '')
export const keepFile: FileStore['keep'] = (file, onProgress) => (store ? store.keep(file, onProgress) : Promise.reject(new Error('暂时不能上传文件')))
/** Larger pictures are turned away without a word (0§5). */
export const maxImage = 2048 * 1024
