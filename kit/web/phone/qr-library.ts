import { BarcodeDetector } from 'qr/decode.js'

/** Reads QR codes where the browser itself does not. */
export const createDetector = (): BarcodeDetector => new BarcodeDetector({ formats: ['qr_code'] })
