export * from '../evil.js'
