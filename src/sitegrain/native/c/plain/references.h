/* The character references that pages use: name, code point, and whether it is one without a semicolon, too. All of the latter, and of
 * HTML 4, are here, in the order of their bytes; a test compares them with `html.entities`. */
#define REFERENCES(X) \
    X(AElig, 0xC6, 1) X(AMP, 0x26, 1) X(Aacute, 0xC1, 1) X(Abreve, 0x102, 0) X(Acirc, 0xC2, 1) X(Agrave, 0xC0, 1) X(Alpha, 0x391, 0) \
    X(Amacr, 0x100, 0) X(Aogon, 0x104, 0) X(ApplyFunction, 0x2061, 0) X(Aring, 0xC5, 1) X(Atilde, 0xC3, 1) X(Auml, 0xC4, 1) \
    X(Beta, 0x392, 0) X(COPY, 0xA9, 1) X(Cacute, 0x106, 0) X(Ccaron, 0x10C, 0) X(Ccedil, 0xC7, 1) X(Chi, 0x3A7, 0) \
    X(Dagger, 0x2021, 0) X(Dcaron, 0x10E, 0) X(Delta, 0x394, 0) X(Dstrok, 0x110, 0) X(ETH, 0xD0, 1) X(Eacute, 0xC9, 1) \
    X(Ecaron, 0x11A, 0) X(Ecirc, 0xCA, 1) X(Egrave, 0xC8, 1) X(Emacr, 0x112, 0) X(Eogon, 0x118, 0) X(Epsilon, 0x395, 0) \
    X(Eta, 0x397, 0) X(Euml, 0xCB, 1) X(GT, 0x3E, 1) X(Gamma, 0x393, 0) X(Gbreve, 0x11E, 0) X(Iacute, 0xCD, 1) X(Icirc, 0xCE, 1) \
    X(Idot, 0x130, 0) X(Igrave, 0xCC, 1) X(Imacr, 0x12A, 0) X(Iota, 0x399, 0) X(Iuml, 0xCF, 1) X(Kappa, 0x39A, 0) X(LT, 0x3C, 1) \
    X(Lambda, 0x39B, 0) X(Lstrok, 0x141, 0) X(Mu, 0x39C, 0) X(Nacute, 0x143, 0) X(Ncaron, 0x147, 0) X(NewLine, 0xA, 0) \
    X(Ntilde, 0xD1, 1) X(Nu, 0x39D, 0) X(OElig, 0x152, 0) X(Oacute, 0xD3, 1) X(Ocirc, 0xD4, 1) X(Odblac, 0x150, 0) X(Ograve, 0xD2, 1) \
    X(Omacr, 0x14C, 0) X(Omega, 0x3A9, 0) X(Omicron, 0x39F, 0) X(Oslash, 0xD8, 1) X(Otilde, 0xD5, 1) X(Ouml, 0xD6, 1) X(Phi, 0x3A6, 0) \
    X(Pi, 0x3A0, 0) X(Prime, 0x2033, 0) X(Psi, 0x3A8, 0) X(QUOT, 0x22, 1) X(REG, 0xAE, 1) X(Rcaron, 0x158, 0) X(Rho, 0x3A1, 0) \
    X(Sacute, 0x15A, 0) X(Scaron, 0x160, 0) X(Scedil, 0x15E, 0) X(Sigma, 0x3A3, 0) X(THORN, 0xDE, 1) X(Tab, 0x9, 0) X(Tau, 0x3A4, 0) \
    X(Tcaron, 0x164, 0) X(Tcedil, 0x162, 0) X(Theta, 0x398, 0) X(Uacute, 0xDA, 1) X(Ucirc, 0xDB, 1) X(Udblac, 0x170, 0) \
    X(Ugrave, 0xD9, 1) X(Umacr, 0x16A, 0) X(Upsilon, 0x3A5, 0) X(Uring, 0x16E, 0) X(Uuml, 0xDC, 1) X(Xi, 0x39E, 0) X(Yacute, 0xDD, 1) \
    X(Yuml, 0x178, 0) X(Zacute, 0x179, 0) X(Zcaron, 0x17D, 0) X(Zdot, 0x17B, 0) X(Zeta, 0x396, 0) X(aacute, 0xE1, 1) \
    X(abreve, 0x103, 0) X(acirc, 0xE2, 1) X(acute, 0xB4, 1) X(aelig, 0xE6, 1) X(agrave, 0xE0, 1) X(alefsym, 0x2135, 0) \
    X(alpha, 0x3B1, 0) X(amacr, 0x101, 0) X(amp, 0x26, 1) X(and, 0x2227, 0) X(ang, 0x2220, 0) X(aogon, 0x105, 0) X(apos, 0x27, 0) \
    X(aring, 0xE5, 1) X(ast, 0x2A, 0) X(asymp, 0x2248, 0) X(atilde, 0xE3, 1) X(auml, 0xE4, 1) X(bdquo, 0x201E, 0) X(beta, 0x3B2, 0) \
    X(brvbar, 0xA6, 1) X(bsol, 0x5C, 0) X(bull, 0x2022, 0) X(cacute, 0x107, 0) X(cap, 0x2229, 0) X(ccaron, 0x10D, 0) \
    X(ccedil, 0xE7, 1) X(cedil, 0xB8, 1) X(cent, 0xA2, 1) X(check, 0x2713, 0) X(chi, 0x3C7, 0) X(circ, 0x2C6, 0) X(clubs, 0x2663, 0) \
    X(colon, 0x3A, 0) X(comma, 0x2C, 0) X(commat, 0x40, 0) X(cong, 0x2245, 0) X(copy, 0xA9, 1) X(copysr, 0x2117, 0) \
    X(crarr, 0x21B5, 0) X(cup, 0x222A, 0) X(curren, 0xA4, 1) X(dArr, 0x21D3, 0) X(dagger, 0x2020, 0) X(darr, 0x2193, 0) \
    X(dash, 0x2010, 0) X(dcaron, 0x10F, 0) X(deg, 0xB0, 1) X(delta, 0x3B4, 0) X(diams, 0x2666, 0) X(divide, 0xF7, 1) \
    X(dollar, 0x24, 0) X(dstrok, 0x111, 0) X(eacute, 0xE9, 1) X(ecaron, 0x11B, 0) X(ecirc, 0xEA, 1) X(egrave, 0xE8, 1) \
    X(ell, 0x2113, 0) X(emacr, 0x113, 0) X(empty, 0x2205, 0) X(emsp, 0x2003, 0) X(ensp, 0x2002, 0) X(eogon, 0x119, 0) \
    X(epsilon, 0x3B5, 0) X(equals, 0x3D, 0) X(equiv, 0x2261, 0) X(eta, 0x3B7, 0) X(eth, 0xF0, 1) X(euml, 0xEB, 1) X(euro, 0x20AC, 0) \
    X(excl, 0x21, 0) X(exist, 0x2203, 0) X(female, 0x2640, 0) X(fnof, 0x192, 0) X(forall, 0x2200, 0) X(frac12, 0xBD, 1) \
    X(frac13, 0x2153, 0) X(frac14, 0xBC, 1) X(frac18, 0x215B, 0) X(frac23, 0x2154, 0) X(frac34, 0xBE, 1) X(frasl, 0x2044, 0) \
    X(gamma, 0x3B3, 0) X(gbreve, 0x11F, 0) X(ge, 0x2265, 0) X(grave, 0x60, 0) X(gt, 0x3E, 1) X(hArr, 0x21D4, 0) X(hairsp, 0x200A, 0) \
    X(half, 0xBD, 0) X(harr, 0x2194, 0) X(hearts, 0x2665, 0) X(hellip, 0x2026, 0) X(horbar, 0x2015, 0) X(hyphen, 0x2010, 0) \
    X(iacute, 0xED, 1) X(icirc, 0xEE, 1) X(iexcl, 0xA1, 1) X(igrave, 0xEC, 1) X(imacr, 0x12B, 0) X(image, 0x2111, 0) \
    X(infin, 0x221E, 0) X(inodot, 0x131, 0) X(int, 0x222B, 0) X(iota, 0x3B9, 0) X(iquest, 0xBF, 1) X(isin, 0x2208, 0) X(iuml, 0xEF, 1) \
    X(kappa, 0x3BA, 0) X(lArr, 0x21D0, 0) X(lambda, 0x3BB, 0) X(lang, 0x2329, 0) X(laquo, 0xAB, 1) X(larr, 0x2190, 0) \
    X(lbrack, 0x5B, 0) X(lcaron, 0x13E, 0) X(lceil, 0x2308, 0) X(lcub, 0x7B, 0) X(ldquo, 0x201C, 0) X(le, 0x2264, 0) \
    X(lfloor, 0x230A, 0) X(lowast, 0x2217, 0) X(lowbar, 0x5F, 0) X(loz, 0x25CA, 0) X(lpar, 0x28, 0) X(lrm, 0x200E, 0) \
    X(lsaquo, 0x2039, 0) X(lsqb, 0x5B, 0) X(lsquo, 0x2018, 0) X(lstrok, 0x142, 0) X(lt, 0x3C, 1) X(macr, 0xAF, 1) X(male, 0x2642, 0) \
    X(mdash, 0x2014, 0) X(micro, 0xB5, 1) X(middot, 0xB7, 1) X(minus, 0x2212, 0) X(mldr, 0x2026, 0) X(mu, 0x3BC, 0) \
    X(nabla, 0x2207, 0) X(nacute, 0x144, 0) X(nbsp, 0xA0, 1) X(ncaron, 0x148, 0) X(ndash, 0x2013, 0) X(ne, 0x2260, 0) X(ni, 0x220B, 0) \
    X(nldr, 0x2025, 0) X(not, 0xAC, 1) X(notin, 0x2209, 0) X(nsub, 0x2284, 0) X(ntilde, 0xF1, 1) X(nu, 0x3BD, 0) X(num, 0x23, 0) \
    X(numero, 0x2116, 0) X(numsp, 0x2007, 0) X(oacute, 0xF3, 1) X(ocirc, 0xF4, 1) X(odblac, 0x151, 0) X(oelig, 0x153, 0) \
    X(ograve, 0xF2, 1) X(oline, 0x203E, 0) X(omacr, 0x14D, 0) X(omega, 0x3C9, 0) X(omicron, 0x3BF, 0) X(oplus, 0x2295, 0) \
    X(or, 0x2228, 0) X(ordf, 0xAA, 1) X(ordm, 0xBA, 1) X(oslash, 0xF8, 1) X(otilde, 0xF5, 1) X(otimes, 0x2297, 0) X(ouml, 0xF6, 1) \
    X(para, 0xB6, 1) X(part, 0x2202, 0) X(percnt, 0x25, 0) X(period, 0x2E, 0) X(permil, 0x2030, 0) X(perp, 0x22A5, 0) X(phi, 0x3C6, 0) \
    X(phone, 0x260E, 0) X(pi, 0x3C0, 0) X(piv, 0x3D6, 0) X(plus, 0x2B, 0) X(plusmn, 0xB1, 1) X(pound, 0xA3, 1) X(prime, 0x2032, 0) \
    X(prod, 0x220F, 0) X(prop, 0x221D, 0) X(psi, 0x3C8, 0) X(puncsp, 0x2008, 0) X(quest, 0x3F, 0) X(quot, 0x22, 1) X(rArr, 0x21D2, 0) \
    X(radic, 0x221A, 0) X(rang, 0x232A, 0) X(raquo, 0xBB, 1) X(rarr, 0x2192, 0) X(rarrw, 0x219D, 0) X(rbrack, 0x5D, 0) \
    X(rcaron, 0x159, 0) X(rceil, 0x2309, 0) X(rcub, 0x7D, 0) X(rdquo, 0x201D, 0) X(real, 0x211C, 0) X(reg, 0xAE, 1) \
    X(rfloor, 0x230B, 0) X(rho, 0x3C1, 0) X(rlm, 0x200F, 0) X(rpar, 0x29, 0) X(rsaquo, 0x203A, 0) X(rsqb, 0x5D, 0) X(rsquo, 0x2019, 0) \
    X(sacute, 0x15B, 0) X(sbquo, 0x201A, 0) X(scaron, 0x161, 0) X(scedil, 0x15F, 0) X(sdot, 0x22C5, 0) X(sect, 0xA7, 1) \
    X(semi, 0x3B, 0) X(shy, 0xAD, 1) X(sigma, 0x3C3, 0) X(sigmaf, 0x3C2, 0) X(sim, 0x223C, 0) X(sol, 0x2F, 0) X(spades, 0x2660, 0) \
    X(star, 0x2606, 0) X(sub, 0x2282, 0) X(sube, 0x2286, 0) X(sum, 0x2211, 0) X(sup, 0x2283, 0) X(sup1, 0xB9, 1) X(sup2, 0xB2, 1) \
    X(sup3, 0xB3, 1) X(supe, 0x2287, 0) X(szlig, 0xDF, 1) X(tau, 0x3C4, 0) X(tcaron, 0x165, 0) X(tcedil, 0x163, 0) \
    X(there4, 0x2234, 0) X(theta, 0x3B8, 0) X(thetasym, 0x3D1, 0) X(thinsp, 0x2009, 0) X(thorn, 0xFE, 1) X(tilde, 0x2DC, 0) \
    X(times, 0xD7, 1) X(trade, 0x2122, 0) X(uArr, 0x21D1, 0) X(uacute, 0xFA, 1) X(uarr, 0x2191, 0) X(ucirc, 0xFB, 1) \
    X(udblac, 0x171, 0) X(ugrave, 0xF9, 1) X(umacr, 0x16B, 0) X(uml, 0xA8, 1) X(upsih, 0x3D2, 0) X(upsilon, 0x3C5, 0) \
    X(uring, 0x16F, 0) X(uuml, 0xFC, 1) X(verbar, 0x7C, 0) X(weierp, 0x2118, 0) X(xi, 0x3BE, 0) X(yacute, 0xFD, 1) X(yen, 0xA5, 1) \
    X(yuml, 0xFF, 1) X(zacute, 0x17A, 0) X(zcaron, 0x17E, 0) X(zdot, 0x17C, 0) X(zeta, 0x3B6, 0) X(zwj, 0x200D, 0) X(zwnj, 0x200C, 0)
