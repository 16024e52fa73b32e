/* The character references of HTML in the order of their bytes: name, code point, a second one or 0, and whether it is one without a semicolon,
 * too. A test compares them with `html.entities`, of which they were made. */
#define REFERENCES(X) \
X(AElig,0xc6,0,1) X(AMP,0x26,0,1) X(Aacute,0xc1,0,1) X(Abreve,0x102,0,0) X(Acirc,0xc2,0,1) X(Acy,0x410,0,0) X(Afr,0x1d504,0,0) \
X(Agrave,0xc0,0,1) X(Alpha,0x391,0,0) X(Amacr,0x100,0,0) X(And,0x2a53,0,0) X(Aogon,0x104,0,0) X(Aopf,0x1d538,0,0) \
X(ApplyFunction,0x2061,0,0) X(Aring,0xc5,0,1) X(Ascr,0x1d49c,0,0) X(Assign,0x2254,0,0) X(Atilde,0xc3,0,1) X(Auml,0xc4,0,1) \
X(Backslash,0x2216,0,0) X(Barv,0x2ae7,0,0) X(Barwed,0x2306,0,0) X(Bcy,0x411,0,0) X(Because,0x2235,0,0) X(Bernoullis,0x212c,0,0) \
X(Beta,0x392,0,0) X(Bfr,0x1d505,0,0) X(Bopf,0x1d539,0,0) X(Breve,0x2d8,0,0) X(Bscr,0x212c,0,0) X(Bumpeq,0x224e,0,0) X(CHcy,0x427,0,0) \
X(COPY,0xa9,0,1) X(Cacute,0x106,0,0) X(Cap,0x22d2,0,0) X(CapitalDifferentialD,0x2145,0,0) X(Cayleys,0x212d,0,0) X(Ccaron,0x10c,0,0) \
X(Ccedil,0xc7,0,1) X(Ccirc,0x108,0,0) X(Cconint,0x2230,0,0) X(Cdot,0x10a,0,0) X(Cedilla,0xb8,0,0) X(CenterDot,0xb7,0,0) \
X(Cfr,0x212d,0,0) X(Chi,0x3a7,0,0) X(CircleDot,0x2299,0,0) X(CircleMinus,0x2296,0,0) X(CirclePlus,0x2295,0,0) X(CircleTimes,0x2297,0,0) \
X(ClockwiseContourIntegral,0x2232,0,0) X(CloseCurlyDoubleQuote,0x201d,0,0) X(CloseCurlyQuote,0x2019,0,0) X(Colon,0x2237,0,0) \
X(Colone,0x2a74,0,0) X(Congruent,0x2261,0,0) X(Conint,0x222f,0,0) X(ContourIntegral,0x222e,0,0) X(Copf,0x2102,0,0) \
X(Coproduct,0x2210,0,0) X(CounterClockwiseContourIntegral,0x2233,0,0) X(Cross,0x2a2f,0,0) X(Cscr,0x1d49e,0,0) X(Cup,0x22d3,0,0) \
X(CupCap,0x224d,0,0) X(DD,0x2145,0,0) X(DDotrahd,0x2911,0,0) X(DJcy,0x402,0,0) X(DScy,0x405,0,0) X(DZcy,0x40f,0,0) X(Dagger,0x2021,0,0) \
X(Darr,0x21a1,0,0) X(Dashv,0x2ae4,0,0) X(Dcaron,0x10e,0,0) X(Dcy,0x414,0,0) X(Del,0x2207,0,0) X(Delta,0x394,0,0) X(Dfr,0x1d507,0,0) \
X(DiacriticalAcute,0xb4,0,0) X(DiacriticalDot,0x2d9,0,0) X(DiacriticalDoubleAcute,0x2dd,0,0) X(DiacriticalGrave,0x60,0,0) \
X(DiacriticalTilde,0x2dc,0,0) X(Diamond,0x22c4,0,0) X(DifferentialD,0x2146,0,0) X(Dopf,0x1d53b,0,0) X(Dot,0xa8,0,0) \
X(DotDot,0x20dc,0,0) X(DotEqual,0x2250,0,0) X(DoubleContourIntegral,0x222f,0,0) X(DoubleDot,0xa8,0,0) X(DoubleDownArrow,0x21d3,0,0) \
X(DoubleLeftArrow,0x21d0,0,0) X(DoubleLeftRightArrow,0x21d4,0,0) X(DoubleLeftTee,0x2ae4,0,0) X(DoubleLongLeftArrow,0x27f8,0,0) \
X(DoubleLongLeftRightArrow,0x27fa,0,0) X(DoubleLongRightArrow,0x27f9,0,0) X(DoubleRightArrow,0x21d2,0,0) X(DoubleRightTee,0x22a8,0,0) \
X(DoubleUpArrow,0x21d1,0,0) X(DoubleUpDownArrow,0x21d5,0,0) X(DoubleVerticalBar,0x2225,0,0) X(DownArrow,0x2193,0,0) \
X(DownArrowBar,0x2913,0,0) X(DownArrowUpArrow,0x21f5,0,0) X(DownBreve,0x311,0,0) X(DownLeftRightVector,0x2950,0,0) \
X(DownLeftTeeVector,0x295e,0,0) X(DownLeftVector,0x21bd,0,0) X(DownLeftVectorBar,0x2956,0,0) X(DownRightTeeVector,0x295f,0,0) \
X(DownRightVector,0x21c1,0,0) X(DownRightVectorBar,0x2957,0,0) X(DownTee,0x22a4,0,0) X(DownTeeArrow,0x21a7,0,0) X(Downarrow,0x21d3,0,0) \
X(Dscr,0x1d49f,0,0) X(Dstrok,0x110,0,0) X(ENG,0x14a,0,0) X(ETH,0xd0,0,1) X(Eacute,0xc9,0,1) X(Ecaron,0x11a,0,0) X(Ecirc,0xca,0,1) \
X(Ecy,0x42d,0,0) X(Edot,0x116,0,0) X(Efr,0x1d508,0,0) X(Egrave,0xc8,0,1) X(Element,0x2208,0,0) X(Emacr,0x112,0,0) \
X(EmptySmallSquare,0x25fb,0,0) X(EmptyVerySmallSquare,0x25ab,0,0) X(Eogon,0x118,0,0) X(Eopf,0x1d53c,0,0) X(Epsilon,0x395,0,0) \
X(Equal,0x2a75,0,0) X(EqualTilde,0x2242,0,0) X(Equilibrium,0x21cc,0,0) X(Escr,0x2130,0,0) X(Esim,0x2a73,0,0) X(Eta,0x397,0,0) \
X(Euml,0xcb,0,1) X(Exists,0x2203,0,0) X(ExponentialE,0x2147,0,0) X(Fcy,0x424,0,0) X(Ffr,0x1d509,0,0) X(FilledSmallSquare,0x25fc,0,0) \
X(FilledVerySmallSquare,0x25aa,0,0) X(Fopf,0x1d53d,0,0) X(ForAll,0x2200,0,0) X(Fouriertrf,0x2131,0,0) X(Fscr,0x2131,0,0) \
X(GJcy,0x403,0,0) X(GT,0x3e,0,1) X(Gamma,0x393,0,0) X(Gammad,0x3dc,0,0) X(Gbreve,0x11e,0,0) X(Gcedil,0x122,0,0) X(Gcirc,0x11c,0,0) \
X(Gcy,0x413,0,0) X(Gdot,0x120,0,0) X(Gfr,0x1d50a,0,0) X(Gg,0x22d9,0,0) X(Gopf,0x1d53e,0,0) X(GreaterEqual,0x2265,0,0) \
X(GreaterEqualLess,0x22db,0,0) X(GreaterFullEqual,0x2267,0,0) X(GreaterGreater,0x2aa2,0,0) X(GreaterLess,0x2277,0,0) \
X(GreaterSlantEqual,0x2a7e,0,0) X(GreaterTilde,0x2273,0,0) X(Gscr,0x1d4a2,0,0) X(Gt,0x226b,0,0) X(HARDcy,0x42a,0,0) X(Hacek,0x2c7,0,0) \
X(Hat,0x5e,0,0) X(Hcirc,0x124,0,0) X(Hfr,0x210c,0,0) X(HilbertSpace,0x210b,0,0) X(Hopf,0x210d,0,0) X(HorizontalLine,0x2500,0,0) \
X(Hscr,0x210b,0,0) X(Hstrok,0x126,0,0) X(HumpDownHump,0x224e,0,0) X(HumpEqual,0x224f,0,0) X(IEcy,0x415,0,0) X(IJlig,0x132,0,0) \
X(IOcy,0x401,0,0) X(Iacute,0xcd,0,1) X(Icirc,0xce,0,1) X(Icy,0x418,0,0) X(Idot,0x130,0,0) X(Ifr,0x2111,0,0) X(Igrave,0xcc,0,1) \
X(Im,0x2111,0,0) X(Imacr,0x12a,0,0) X(ImaginaryI,0x2148,0,0) X(Implies,0x21d2,0,0) X(Int,0x222c,0,0) X(Integral,0x222b,0,0) \
X(Intersection,0x22c2,0,0) X(InvisibleComma,0x2063,0,0) X(InvisibleTimes,0x2062,0,0) X(Iogon,0x12e,0,0) X(Iopf,0x1d540,0,0) \
X(Iota,0x399,0,0) X(Iscr,0x2110,0,0) X(Itilde,0x128,0,0) X(Iukcy,0x406,0,0) X(Iuml,0xcf,0,1) X(Jcirc,0x134,0,0) X(Jcy,0x419,0,0) \
X(Jfr,0x1d50d,0,0) X(Jopf,0x1d541,0,0) X(Jscr,0x1d4a5,0,0) X(Jsercy,0x408,0,0) X(Jukcy,0x404,0,0) X(KHcy,0x425,0,0) X(KJcy,0x40c,0,0) \
X(Kappa,0x39a,0,0) X(Kcedil,0x136,0,0) X(Kcy,0x41a,0,0) X(Kfr,0x1d50e,0,0) X(Kopf,0x1d542,0,0) X(Kscr,0x1d4a6,0,0) X(LJcy,0x409,0,0) \
X(LT,0x3c,0,1) X(Lacute,0x139,0,0) X(Lambda,0x39b,0,0) X(Lang,0x27ea,0,0) X(Laplacetrf,0x2112,0,0) X(Larr,0x219e,0,0) \
X(Lcaron,0x13d,0,0) X(Lcedil,0x13b,0,0) X(Lcy,0x41b,0,0) X(LeftAngleBracket,0x27e8,0,0) X(LeftArrow,0x2190,0,0) \
X(LeftArrowBar,0x21e4,0,0) X(LeftArrowRightArrow,0x21c6,0,0) X(LeftCeiling,0x2308,0,0) X(LeftDoubleBracket,0x27e6,0,0) \
X(LeftDownTeeVector,0x2961,0,0) X(LeftDownVector,0x21c3,0,0) X(LeftDownVectorBar,0x2959,0,0) X(LeftFloor,0x230a,0,0) \
X(LeftRightArrow,0x2194,0,0) X(LeftRightVector,0x294e,0,0) X(LeftTee,0x22a3,0,0) X(LeftTeeArrow,0x21a4,0,0) X(LeftTeeVector,0x295a,0,0) \
X(LeftTriangle,0x22b2,0,0) X(LeftTriangleBar,0x29cf,0,0) X(LeftTriangleEqual,0x22b4,0,0) X(LeftUpDownVector,0x2951,0,0) \
X(LeftUpTeeVector,0x2960,0,0) X(LeftUpVector,0x21bf,0,0) X(LeftUpVectorBar,0x2958,0,0) X(LeftVector,0x21bc,0,0) \
X(LeftVectorBar,0x2952,0,0) X(Leftarrow,0x21d0,0,0) X(Leftrightarrow,0x21d4,0,0) X(LessEqualGreater,0x22da,0,0) \
X(LessFullEqual,0x2266,0,0) X(LessGreater,0x2276,0,0) X(LessLess,0x2aa1,0,0) X(LessSlantEqual,0x2a7d,0,0) X(LessTilde,0x2272,0,0) \
X(Lfr,0x1d50f,0,0) X(Ll,0x22d8,0,0) X(Lleftarrow,0x21da,0,0) X(Lmidot,0x13f,0,0) X(LongLeftArrow,0x27f5,0,0) \
X(LongLeftRightArrow,0x27f7,0,0) X(LongRightArrow,0x27f6,0,0) X(Longleftarrow,0x27f8,0,0) X(Longleftrightarrow,0x27fa,0,0) \
X(Longrightarrow,0x27f9,0,0) X(Lopf,0x1d543,0,0) X(LowerLeftArrow,0x2199,0,0) X(LowerRightArrow,0x2198,0,0) X(Lscr,0x2112,0,0) \
X(Lsh,0x21b0,0,0) X(Lstrok,0x141,0,0) X(Lt,0x226a,0,0) X(Map,0x2905,0,0) X(Mcy,0x41c,0,0) X(MediumSpace,0x205f,0,0) \
X(Mellintrf,0x2133,0,0) X(Mfr,0x1d510,0,0) X(MinusPlus,0x2213,0,0) X(Mopf,0x1d544,0,0) X(Mscr,0x2133,0,0) X(Mu,0x39c,0,0) \
X(NJcy,0x40a,0,0) X(Nacute,0x143,0,0) X(Ncaron,0x147,0,0) X(Ncedil,0x145,0,0) X(Ncy,0x41d,0,0) X(NegativeMediumSpace,0x200b,0,0) \
X(NegativeThickSpace,0x200b,0,0) X(NegativeThinSpace,0x200b,0,0) X(NegativeVeryThinSpace,0x200b,0,0) X(NestedGreaterGreater,0x226b,0,0) \
X(NestedLessLess,0x226a,0,0) X(NewLine,0xa,0,0) X(Nfr,0x1d511,0,0) X(NoBreak,0x2060,0,0) X(NonBreakingSpace,0xa0,0,0) \
X(Nopf,0x2115,0,0) X(Not,0x2aec,0,0) X(NotCongruent,0x2262,0,0) X(NotCupCap,0x226d,0,0) X(NotDoubleVerticalBar,0x2226,0,0) \
X(NotElement,0x2209,0,0) X(NotEqual,0x2260,0,0) X(NotEqualTilde,0x2242,0x338,0) X(NotExists,0x2204,0,0) X(NotGreater,0x226f,0,0) \
X(NotGreaterEqual,0x2271,0,0) X(NotGreaterFullEqual,0x2267,0x338,0) X(NotGreaterGreater,0x226b,0x338,0) X(NotGreaterLess,0x2279,0,0) \
X(NotGreaterSlantEqual,0x2a7e,0x338,0) X(NotGreaterTilde,0x2275,0,0) X(NotHumpDownHump,0x224e,0x338,0) X(NotHumpEqual,0x224f,0x338,0) \
X(NotLeftTriangle,0x22ea,0,0) X(NotLeftTriangleBar,0x29cf,0x338,0) X(NotLeftTriangleEqual,0x22ec,0,0) X(NotLess,0x226e,0,0) \
X(NotLessEqual,0x2270,0,0) X(NotLessGreater,0x2278,0,0) X(NotLessLess,0x226a,0x338,0) X(NotLessSlantEqual,0x2a7d,0x338,0) \
X(NotLessTilde,0x2274,0,0) X(NotNestedGreaterGreater,0x2aa2,0x338,0) X(NotNestedLessLess,0x2aa1,0x338,0) X(NotPrecedes,0x2280,0,0) \
X(NotPrecedesEqual,0x2aaf,0x338,0) X(NotPrecedesSlantEqual,0x22e0,0,0) X(NotReverseElement,0x220c,0,0) X(NotRightTriangle,0x22eb,0,0) \
X(NotRightTriangleBar,0x29d0,0x338,0) X(NotRightTriangleEqual,0x22ed,0,0) X(NotSquareSubset,0x228f,0x338,0) \
X(NotSquareSubsetEqual,0x22e2,0,0) X(NotSquareSuperset,0x2290,0x338,0) X(NotSquareSupersetEqual,0x22e3,0,0) \
X(NotSubset,0x2282,0x20d2,0) X(NotSubsetEqual,0x2288,0,0) X(NotSucceeds,0x2281,0,0) X(NotSucceedsEqual,0x2ab0,0x338,0) \
X(NotSucceedsSlantEqual,0x22e1,0,0) X(NotSucceedsTilde,0x227f,0x338,0) X(NotSuperset,0x2283,0x20d2,0) X(NotSupersetEqual,0x2289,0,0) \
X(NotTilde,0x2241,0,0) X(NotTildeEqual,0x2244,0,0) X(NotTildeFullEqual,0x2247,0,0) X(NotTildeTilde,0x2249,0,0) \
X(NotVerticalBar,0x2224,0,0) X(Nscr,0x1d4a9,0,0) X(Ntilde,0xd1,0,1) X(Nu,0x39d,0,0) X(OElig,0x152,0,0) X(Oacute,0xd3,0,1) \
X(Ocirc,0xd4,0,1) X(Ocy,0x41e,0,0) X(Odblac,0x150,0,0) X(Ofr,0x1d512,0,0) X(Ograve,0xd2,0,1) X(Omacr,0x14c,0,0) X(Omega,0x3a9,0,0) \
X(Omicron,0x39f,0,0) X(Oopf,0x1d546,0,0) X(OpenCurlyDoubleQuote,0x201c,0,0) X(OpenCurlyQuote,0x2018,0,0) X(Or,0x2a54,0,0) \
X(Oscr,0x1d4aa,0,0) X(Oslash,0xd8,0,1) X(Otilde,0xd5,0,1) X(Otimes,0x2a37,0,0) X(Ouml,0xd6,0,1) X(OverBar,0x203e,0,0) \
X(OverBrace,0x23de,0,0) X(OverBracket,0x23b4,0,0) X(OverParenthesis,0x23dc,0,0) X(PartialD,0x2202,0,0) X(Pcy,0x41f,0,0) \
X(Pfr,0x1d513,0,0) X(Phi,0x3a6,0,0) X(Pi,0x3a0,0,0) X(PlusMinus,0xb1,0,0) X(Poincareplane,0x210c,0,0) X(Popf,0x2119,0,0) \
X(Pr,0x2abb,0,0) X(Precedes,0x227a,0,0) X(PrecedesEqual,0x2aaf,0,0) X(PrecedesSlantEqual,0x227c,0,0) X(PrecedesTilde,0x227e,0,0) \
X(Prime,0x2033,0,0) X(Product,0x220f,0,0) X(Proportion,0x2237,0,0) X(Proportional,0x221d,0,0) X(Pscr,0x1d4ab,0,0) X(Psi,0x3a8,0,0) \
X(QUOT,0x22,0,1) X(Qfr,0x1d514,0,0) X(Qopf,0x211a,0,0) X(Qscr,0x1d4ac,0,0) X(RBarr,0x2910,0,0) X(REG,0xae,0,1) X(Racute,0x154,0,0) \
X(Rang,0x27eb,0,0) X(Rarr,0x21a0,0,0) X(Rarrtl,0x2916,0,0) X(Rcaron,0x158,0,0) X(Rcedil,0x156,0,0) X(Rcy,0x420,0,0) X(Re,0x211c,0,0) \
X(ReverseElement,0x220b,0,0) X(ReverseEquilibrium,0x21cb,0,0) X(ReverseUpEquilibrium,0x296f,0,0) X(Rfr,0x211c,0,0) X(Rho,0x3a1,0,0) \
X(RightAngleBracket,0x27e9,0,0) X(RightArrow,0x2192,0,0) X(RightArrowBar,0x21e5,0,0) X(RightArrowLeftArrow,0x21c4,0,0) \
X(RightCeiling,0x2309,0,0) X(RightDoubleBracket,0x27e7,0,0) X(RightDownTeeVector,0x295d,0,0) X(RightDownVector,0x21c2,0,0) \
X(RightDownVectorBar,0x2955,0,0) X(RightFloor,0x230b,0,0) X(RightTee,0x22a2,0,0) X(RightTeeArrow,0x21a6,0,0) \
X(RightTeeVector,0x295b,0,0) X(RightTriangle,0x22b3,0,0) X(RightTriangleBar,0x29d0,0,0) X(RightTriangleEqual,0x22b5,0,0) \
X(RightUpDownVector,0x294f,0,0) X(RightUpTeeVector,0x295c,0,0) X(RightUpVector,0x21be,0,0) X(RightUpVectorBar,0x2954,0,0) \
X(RightVector,0x21c0,0,0) X(RightVectorBar,0x2953,0,0) X(Rightarrow,0x21d2,0,0) X(Ropf,0x211d,0,0) X(RoundImplies,0x2970,0,0) \
X(Rrightarrow,0x21db,0,0) X(Rscr,0x211b,0,0) X(Rsh,0x21b1,0,0) X(RuleDelayed,0x29f4,0,0) X(SHCHcy,0x429,0,0) X(SHcy,0x428,0,0) \
X(SOFTcy,0x42c,0,0) X(Sacute,0x15a,0,0) X(Sc,0x2abc,0,0) X(Scaron,0x160,0,0) X(Scedil,0x15e,0,0) X(Scirc,0x15c,0,0) X(Scy,0x421,0,0) \
X(Sfr,0x1d516,0,0) X(ShortDownArrow,0x2193,0,0) X(ShortLeftArrow,0x2190,0,0) X(ShortRightArrow,0x2192,0,0) X(ShortUpArrow,0x2191,0,0) \
X(Sigma,0x3a3,0,0) X(SmallCircle,0x2218,0,0) X(Sopf,0x1d54a,0,0) X(Sqrt,0x221a,0,0) X(Square,0x25a1,0,0) \
X(SquareIntersection,0x2293,0,0) X(SquareSubset,0x228f,0,0) X(SquareSubsetEqual,0x2291,0,0) X(SquareSuperset,0x2290,0,0) \
X(SquareSupersetEqual,0x2292,0,0) X(SquareUnion,0x2294,0,0) X(Sscr,0x1d4ae,0,0) X(Star,0x22c6,0,0) X(Sub,0x22d0,0,0) \
X(Subset,0x22d0,0,0) X(SubsetEqual,0x2286,0,0) X(Succeeds,0x227b,0,0) X(SucceedsEqual,0x2ab0,0,0) X(SucceedsSlantEqual,0x227d,0,0) \
X(SucceedsTilde,0x227f,0,0) X(SuchThat,0x220b,0,0) X(Sum,0x2211,0,0) X(Sup,0x22d1,0,0) X(Superset,0x2283,0,0) \
X(SupersetEqual,0x2287,0,0) X(Supset,0x22d1,0,0) X(THORN,0xde,0,1) X(TRADE,0x2122,0,0) X(TSHcy,0x40b,0,0) X(TScy,0x426,0,0) \
X(Tab,0x9,0,0) X(Tau,0x3a4,0,0) X(Tcaron,0x164,0,0) X(Tcedil,0x162,0,0) X(Tcy,0x422,0,0) X(Tfr,0x1d517,0,0) X(Therefore,0x2234,0,0) \
X(Theta,0x398,0,0) X(ThickSpace,0x205f,0x200a,0) X(ThinSpace,0x2009,0,0) X(Tilde,0x223c,0,0) X(TildeEqual,0x2243,0,0) \
X(TildeFullEqual,0x2245,0,0) X(TildeTilde,0x2248,0,0) X(Topf,0x1d54b,0,0) X(TripleDot,0x20db,0,0) X(Tscr,0x1d4af,0,0) \
X(Tstrok,0x166,0,0) X(Uacute,0xda,0,1) X(Uarr,0x219f,0,0) X(Uarrocir,0x2949,0,0) X(Ubrcy,0x40e,0,0) X(Ubreve,0x16c,0,0) \
X(Ucirc,0xdb,0,1) X(Ucy,0x423,0,0) X(Udblac,0x170,0,0) X(Ufr,0x1d518,0,0) X(Ugrave,0xd9,0,1) X(Umacr,0x16a,0,0) X(UnderBar,0x5f,0,0) \
X(UnderBrace,0x23df,0,0) X(UnderBracket,0x23b5,0,0) X(UnderParenthesis,0x23dd,0,0) X(Union,0x22c3,0,0) X(UnionPlus,0x228e,0,0) \
X(Uogon,0x172,0,0) X(Uopf,0x1d54c,0,0) X(UpArrow,0x2191,0,0) X(UpArrowBar,0x2912,0,0) X(UpArrowDownArrow,0x21c5,0,0) \
X(UpDownArrow,0x2195,0,0) X(UpEquilibrium,0x296e,0,0) X(UpTee,0x22a5,0,0) X(UpTeeArrow,0x21a5,0,0) X(Uparrow,0x21d1,0,0) \
X(Updownarrow,0x21d5,0,0) X(UpperLeftArrow,0x2196,0,0) X(UpperRightArrow,0x2197,0,0) X(Upsi,0x3d2,0,0) X(Upsilon,0x3a5,0,0) \
X(Uring,0x16e,0,0) X(Uscr,0x1d4b0,0,0) X(Utilde,0x168,0,0) X(Uuml,0xdc,0,1) X(VDash,0x22ab,0,0) X(Vbar,0x2aeb,0,0) X(Vcy,0x412,0,0) \
X(Vdash,0x22a9,0,0) X(Vdashl,0x2ae6,0,0) X(Vee,0x22c1,0,0) X(Verbar,0x2016,0,0) X(Vert,0x2016,0,0) X(VerticalBar,0x2223,0,0) \
X(VerticalLine,0x7c,0,0) X(VerticalSeparator,0x2758,0,0) X(VerticalTilde,0x2240,0,0) X(VeryThinSpace,0x200a,0,0) X(Vfr,0x1d519,0,0) \
X(Vopf,0x1d54d,0,0) X(Vscr,0x1d4b1,0,0) X(Vvdash,0x22aa,0,0) X(Wcirc,0x174,0,0) X(Wedge,0x22c0,0,0) X(Wfr,0x1d51a,0,0) \
X(Wopf,0x1d54e,0,0) X(Wscr,0x1d4b2,0,0) X(Xfr,0x1d51b,0,0) X(Xi,0x39e,0,0) X(Xopf,0x1d54f,0,0) X(Xscr,0x1d4b3,0,0) X(YAcy,0x42f,0,0) \
X(YIcy,0x407,0,0) X(YUcy,0x42e,0,0) X(Yacute,0xdd,0,1) X(Ycirc,0x176,0,0) X(Ycy,0x42b,0,0) X(Yfr,0x1d51c,0,0) X(Yopf,0x1d550,0,0) \
X(Yscr,0x1d4b4,0,0) X(Yuml,0x178,0,0) X(ZHcy,0x416,0,0) X(Zacute,0x179,0,0) X(Zcaron,0x17d,0,0) X(Zcy,0x417,0,0) X(Zdot,0x17b,0,0) \
X(ZeroWidthSpace,0x200b,0,0) X(Zeta,0x396,0,0) X(Zfr,0x2128,0,0) X(Zopf,0x2124,0,0) X(Zscr,0x1d4b5,0,0) X(aacute,0xe1,0,1) \
X(abreve,0x103,0,0) X(ac,0x223e,0,0) X(acE,0x223e,0x333,0) X(acd,0x223f,0,0) X(acirc,0xe2,0,1) X(acute,0xb4,0,1) X(acy,0x430,0,0) \
X(aelig,0xe6,0,1) X(af,0x2061,0,0) X(afr,0x1d51e,0,0) X(agrave,0xe0,0,1) X(alefsym,0x2135,0,0) X(aleph,0x2135,0,0) X(alpha,0x3b1,0,0) \
X(amacr,0x101,0,0) X(amalg,0x2a3f,0,0) X(amp,0x26,0,1) X(and,0x2227,0,0) X(andand,0x2a55,0,0) X(andd,0x2a5c,0,0) X(andslope,0x2a58,0,0) \
X(andv,0x2a5a,0,0) X(ang,0x2220,0,0) X(ange,0x29a4,0,0) X(angle,0x2220,0,0) X(angmsd,0x2221,0,0) X(angmsdaa,0x29a8,0,0) \
X(angmsdab,0x29a9,0,0) X(angmsdac,0x29aa,0,0) X(angmsdad,0x29ab,0,0) X(angmsdae,0x29ac,0,0) X(angmsdaf,0x29ad,0,0) \
X(angmsdag,0x29ae,0,0) X(angmsdah,0x29af,0,0) X(angrt,0x221f,0,0) X(angrtvb,0x22be,0,0) X(angrtvbd,0x299d,0,0) X(angsph,0x2222,0,0) \
X(angst,0xc5,0,0) X(angzarr,0x237c,0,0) X(aogon,0x105,0,0) X(aopf,0x1d552,0,0) X(ap,0x2248,0,0) X(apE,0x2a70,0,0) X(apacir,0x2a6f,0,0) \
X(ape,0x224a,0,0) X(apid,0x224b,0,0) X(apos,0x27,0,0) X(approx,0x2248,0,0) X(approxeq,0x224a,0,0) X(aring,0xe5,0,1) X(ascr,0x1d4b6,0,0) \
X(ast,0x2a,0,0) X(asymp,0x2248,0,0) X(asympeq,0x224d,0,0) X(atilde,0xe3,0,1) X(auml,0xe4,0,1) X(awconint,0x2233,0,0) \
X(awint,0x2a11,0,0) X(bNot,0x2aed,0,0) X(backcong,0x224c,0,0) X(backepsilon,0x3f6,0,0) X(backprime,0x2035,0,0) X(backsim,0x223d,0,0) \
X(backsimeq,0x22cd,0,0) X(barvee,0x22bd,0,0) X(barwed,0x2305,0,0) X(barwedge,0x2305,0,0) X(bbrk,0x23b5,0,0) X(bbrktbrk,0x23b6,0,0) \
X(bcong,0x224c,0,0) X(bcy,0x431,0,0) X(bdquo,0x201e,0,0) X(becaus,0x2235,0,0) X(because,0x2235,0,0) X(bemptyv,0x29b0,0,0) \
X(bepsi,0x3f6,0,0) X(bernou,0x212c,0,0) X(beta,0x3b2,0,0) X(beth,0x2136,0,0) X(between,0x226c,0,0) X(bfr,0x1d51f,0,0) \
X(bigcap,0x22c2,0,0) X(bigcirc,0x25ef,0,0) X(bigcup,0x22c3,0,0) X(bigodot,0x2a00,0,0) X(bigoplus,0x2a01,0,0) X(bigotimes,0x2a02,0,0) \
X(bigsqcup,0x2a06,0,0) X(bigstar,0x2605,0,0) X(bigtriangledown,0x25bd,0,0) X(bigtriangleup,0x25b3,0,0) X(biguplus,0x2a04,0,0) \
X(bigvee,0x22c1,0,0) X(bigwedge,0x22c0,0,0) X(bkarow,0x290d,0,0) X(blacklozenge,0x29eb,0,0) X(blacksquare,0x25aa,0,0) \
X(blacktriangle,0x25b4,0,0) X(blacktriangledown,0x25be,0,0) X(blacktriangleleft,0x25c2,0,0) X(blacktriangleright,0x25b8,0,0) \
X(blank,0x2423,0,0) X(blk12,0x2592,0,0) X(blk14,0x2591,0,0) X(blk34,0x2593,0,0) X(block,0x2588,0,0) X(bne,0x3d,0x20e5,0) \
X(bnequiv,0x2261,0x20e5,0) X(bnot,0x2310,0,0) X(bopf,0x1d553,0,0) X(bot,0x22a5,0,0) X(bottom,0x22a5,0,0) X(bowtie,0x22c8,0,0) \
X(boxDL,0x2557,0,0) X(boxDR,0x2554,0,0) X(boxDl,0x2556,0,0) X(boxDr,0x2553,0,0) X(boxH,0x2550,0,0) X(boxHD,0x2566,0,0) \
X(boxHU,0x2569,0,0) X(boxHd,0x2564,0,0) X(boxHu,0x2567,0,0) X(boxUL,0x255d,0,0) X(boxUR,0x255a,0,0) X(boxUl,0x255c,0,0) \
X(boxUr,0x2559,0,0) X(boxV,0x2551,0,0) X(boxVH,0x256c,0,0) X(boxVL,0x2563,0,0) X(boxVR,0x2560,0,0) X(boxVh,0x256b,0,0) \
X(boxVl,0x2562,0,0) X(boxVr,0x255f,0,0) X(boxbox,0x29c9,0,0) X(boxdL,0x2555,0,0) X(boxdR,0x2552,0,0) X(boxdl,0x2510,0,0) \
X(boxdr,0x250c,0,0) X(boxh,0x2500,0,0) X(boxhD,0x2565,0,0) X(boxhU,0x2568,0,0) X(boxhd,0x252c,0,0) X(boxhu,0x2534,0,0) \
X(boxminus,0x229f,0,0) X(boxplus,0x229e,0,0) X(boxtimes,0x22a0,0,0) X(boxuL,0x255b,0,0) X(boxuR,0x2558,0,0) X(boxul,0x2518,0,0) \
X(boxur,0x2514,0,0) X(boxv,0x2502,0,0) X(boxvH,0x256a,0,0) X(boxvL,0x2561,0,0) X(boxvR,0x255e,0,0) X(boxvh,0x253c,0,0) \
X(boxvl,0x2524,0,0) X(boxvr,0x251c,0,0) X(bprime,0x2035,0,0) X(breve,0x2d8,0,0) X(brvbar,0xa6,0,1) X(bscr,0x1d4b7,0,0) \
X(bsemi,0x204f,0,0) X(bsim,0x223d,0,0) X(bsime,0x22cd,0,0) X(bsol,0x5c,0,0) X(bsolb,0x29c5,0,0) X(bsolhsub,0x27c8,0,0) \
X(bull,0x2022,0,0) X(bullet,0x2022,0,0) X(bump,0x224e,0,0) X(bumpE,0x2aae,0,0) X(bumpe,0x224f,0,0) X(bumpeq,0x224f,0,0) \
X(cacute,0x107,0,0) X(cap,0x2229,0,0) X(capand,0x2a44,0,0) X(capbrcup,0x2a49,0,0) X(capcap,0x2a4b,0,0) X(capcup,0x2a47,0,0) \
X(capdot,0x2a40,0,0) X(caps,0x2229,0xfe00,0) X(caret,0x2041,0,0) X(caron,0x2c7,0,0) X(ccaps,0x2a4d,0,0) X(ccaron,0x10d,0,0) \
X(ccedil,0xe7,0,1) X(ccirc,0x109,0,0) X(ccups,0x2a4c,0,0) X(ccupssm,0x2a50,0,0) X(cdot,0x10b,0,0) X(cedil,0xb8,0,1) \
X(cemptyv,0x29b2,0,0) X(cent,0xa2,0,1) X(centerdot,0xb7,0,0) X(cfr,0x1d520,0,0) X(chcy,0x447,0,0) X(check,0x2713,0,0) \
X(checkmark,0x2713,0,0) X(chi,0x3c7,0,0) X(cir,0x25cb,0,0) X(cirE,0x29c3,0,0) X(circ,0x2c6,0,0) X(circeq,0x2257,0,0) \
X(circlearrowleft,0x21ba,0,0) X(circlearrowright,0x21bb,0,0) X(circledR,0xae,0,0) X(circledS,0x24c8,0,0) X(circledast,0x229b,0,0) \
X(circledcirc,0x229a,0,0) X(circleddash,0x229d,0,0) X(cire,0x2257,0,0) X(cirfnint,0x2a10,0,0) X(cirmid,0x2aef,0,0) \
X(cirscir,0x29c2,0,0) X(clubs,0x2663,0,0) X(clubsuit,0x2663,0,0) X(colon,0x3a,0,0) X(colone,0x2254,0,0) X(coloneq,0x2254,0,0) \
X(comma,0x2c,0,0) X(commat,0x40,0,0) X(comp,0x2201,0,0) X(compfn,0x2218,0,0) X(complement,0x2201,0,0) X(complexes,0x2102,0,0) \
X(cong,0x2245,0,0) X(congdot,0x2a6d,0,0) X(conint,0x222e,0,0) X(copf,0x1d554,0,0) X(coprod,0x2210,0,0) X(copy,0xa9,0,1) \
X(copysr,0x2117,0,0) X(crarr,0x21b5,0,0) X(cross,0x2717,0,0) X(cscr,0x1d4b8,0,0) X(csub,0x2acf,0,0) X(csube,0x2ad1,0,0) \
X(csup,0x2ad0,0,0) X(csupe,0x2ad2,0,0) X(ctdot,0x22ef,0,0) X(cudarrl,0x2938,0,0) X(cudarrr,0x2935,0,0) X(cuepr,0x22de,0,0) \
X(cuesc,0x22df,0,0) X(cularr,0x21b6,0,0) X(cularrp,0x293d,0,0) X(cup,0x222a,0,0) X(cupbrcap,0x2a48,0,0) X(cupcap,0x2a46,0,0) \
X(cupcup,0x2a4a,0,0) X(cupdot,0x228d,0,0) X(cupor,0x2a45,0,0) X(cups,0x222a,0xfe00,0) X(curarr,0x21b7,0,0) X(curarrm,0x293c,0,0) \
X(curlyeqprec,0x22de,0,0) X(curlyeqsucc,0x22df,0,0) X(curlyvee,0x22ce,0,0) X(curlywedge,0x22cf,0,0) X(curren,0xa4,0,1) \
X(curvearrowleft,0x21b6,0,0) X(curvearrowright,0x21b7,0,0) X(cuvee,0x22ce,0,0) X(cuwed,0x22cf,0,0) X(cwconint,0x2232,0,0) \
X(cwint,0x2231,0,0) X(cylcty,0x232d,0,0) X(dArr,0x21d3,0,0) X(dHar,0x2965,0,0) X(dagger,0x2020,0,0) X(daleth,0x2138,0,0) \
X(darr,0x2193,0,0) X(dash,0x2010,0,0) X(dashv,0x22a3,0,0) X(dbkarow,0x290f,0,0) X(dblac,0x2dd,0,0) X(dcaron,0x10f,0,0) X(dcy,0x434,0,0) \
X(dd,0x2146,0,0) X(ddagger,0x2021,0,0) X(ddarr,0x21ca,0,0) X(ddotseq,0x2a77,0,0) X(deg,0xb0,0,1) X(delta,0x3b4,0,0) \
X(demptyv,0x29b1,0,0) X(dfisht,0x297f,0,0) X(dfr,0x1d521,0,0) X(dharl,0x21c3,0,0) X(dharr,0x21c2,0,0) X(diam,0x22c4,0,0) \
X(diamond,0x22c4,0,0) X(diamondsuit,0x2666,0,0) X(diams,0x2666,0,0) X(die,0xa8,0,0) X(digamma,0x3dd,0,0) X(disin,0x22f2,0,0) \
X(div,0xf7,0,0) X(divide,0xf7,0,1) X(divideontimes,0x22c7,0,0) X(divonx,0x22c7,0,0) X(djcy,0x452,0,0) X(dlcorn,0x231e,0,0) \
X(dlcrop,0x230d,0,0) X(dollar,0x24,0,0) X(dopf,0x1d555,0,0) X(dot,0x2d9,0,0) X(doteq,0x2250,0,0) X(doteqdot,0x2251,0,0) \
X(dotminus,0x2238,0,0) X(dotplus,0x2214,0,0) X(dotsquare,0x22a1,0,0) X(doublebarwedge,0x2306,0,0) X(downarrow,0x2193,0,0) \
X(downdownarrows,0x21ca,0,0) X(downharpoonleft,0x21c3,0,0) X(downharpoonright,0x21c2,0,0) X(drbkarow,0x2910,0,0) X(drcorn,0x231f,0,0) \
X(drcrop,0x230c,0,0) X(dscr,0x1d4b9,0,0) X(dscy,0x455,0,0) X(dsol,0x29f6,0,0) X(dstrok,0x111,0,0) X(dtdot,0x22f1,0,0) \
X(dtri,0x25bf,0,0) X(dtrif,0x25be,0,0) X(duarr,0x21f5,0,0) X(duhar,0x296f,0,0) X(dwangle,0x29a6,0,0) X(dzcy,0x45f,0,0) \
X(dzigrarr,0x27ff,0,0) X(eDDot,0x2a77,0,0) X(eDot,0x2251,0,0) X(eacute,0xe9,0,1) X(easter,0x2a6e,0,0) X(ecaron,0x11b,0,0) \
X(ecir,0x2256,0,0) X(ecirc,0xea,0,1) X(ecolon,0x2255,0,0) X(ecy,0x44d,0,0) X(edot,0x117,0,0) X(ee,0x2147,0,0) X(efDot,0x2252,0,0) \
X(efr,0x1d522,0,0) X(eg,0x2a9a,0,0) X(egrave,0xe8,0,1) X(egs,0x2a96,0,0) X(egsdot,0x2a98,0,0) X(el,0x2a99,0,0) X(elinters,0x23e7,0,0) \
X(ell,0x2113,0,0) X(els,0x2a95,0,0) X(elsdot,0x2a97,0,0) X(emacr,0x113,0,0) X(empty,0x2205,0,0) X(emptyset,0x2205,0,0) \
X(emptyv,0x2205,0,0) X(emsp,0x2003,0,0) X(emsp13,0x2004,0,0) X(emsp14,0x2005,0,0) X(eng,0x14b,0,0) X(ensp,0x2002,0,0) \
X(eogon,0x119,0,0) X(eopf,0x1d556,0,0) X(epar,0x22d5,0,0) X(eparsl,0x29e3,0,0) X(eplus,0x2a71,0,0) X(epsi,0x3b5,0,0) \
X(epsilon,0x3b5,0,0) X(epsiv,0x3f5,0,0) X(eqcirc,0x2256,0,0) X(eqcolon,0x2255,0,0) X(eqsim,0x2242,0,0) X(eqslantgtr,0x2a96,0,0) \
X(eqslantless,0x2a95,0,0) X(equals,0x3d,0,0) X(equest,0x225f,0,0) X(equiv,0x2261,0,0) X(equivDD,0x2a78,0,0) X(eqvparsl,0x29e5,0,0) \
X(erDot,0x2253,0,0) X(erarr,0x2971,0,0) X(escr,0x212f,0,0) X(esdot,0x2250,0,0) X(esim,0x2242,0,0) X(eta,0x3b7,0,0) X(eth,0xf0,0,1) \
X(euml,0xeb,0,1) X(euro,0x20ac,0,0) X(excl,0x21,0,0) X(exist,0x2203,0,0) X(expectation,0x2130,0,0) X(exponentiale,0x2147,0,0) \
X(fallingdotseq,0x2252,0,0) X(fcy,0x444,0,0) X(female,0x2640,0,0) X(ffilig,0xfb03,0,0) X(fflig,0xfb00,0,0) X(ffllig,0xfb04,0,0) \
X(ffr,0x1d523,0,0) X(filig,0xfb01,0,0) X(fjlig,0x66,0x6a,0) X(flat,0x266d,0,0) X(fllig,0xfb02,0,0) X(fltns,0x25b1,0,0) \
X(fnof,0x192,0,0) X(fopf,0x1d557,0,0) X(forall,0x2200,0,0) X(fork,0x22d4,0,0) X(forkv,0x2ad9,0,0) X(fpartint,0x2a0d,0,0) \
X(frac12,0xbd,0,1) X(frac13,0x2153,0,0) X(frac14,0xbc,0,1) X(frac15,0x2155,0,0) X(frac16,0x2159,0,0) X(frac18,0x215b,0,0) \
X(frac23,0x2154,0,0) X(frac25,0x2156,0,0) X(frac34,0xbe,0,1) X(frac35,0x2157,0,0) X(frac38,0x215c,0,0) X(frac45,0x2158,0,0) \
X(frac56,0x215a,0,0) X(frac58,0x215d,0,0) X(frac78,0x215e,0,0) X(frasl,0x2044,0,0) X(frown,0x2322,0,0) X(fscr,0x1d4bb,0,0) \
X(gE,0x2267,0,0) X(gEl,0x2a8c,0,0) X(gacute,0x1f5,0,0) X(gamma,0x3b3,0,0) X(gammad,0x3dd,0,0) X(gap,0x2a86,0,0) X(gbreve,0x11f,0,0) \
X(gcirc,0x11d,0,0) X(gcy,0x433,0,0) X(gdot,0x121,0,0) X(ge,0x2265,0,0) X(gel,0x22db,0,0) X(geq,0x2265,0,0) X(geqq,0x2267,0,0) \
X(geqslant,0x2a7e,0,0) X(ges,0x2a7e,0,0) X(gescc,0x2aa9,0,0) X(gesdot,0x2a80,0,0) X(gesdoto,0x2a82,0,0) X(gesdotol,0x2a84,0,0) \
X(gesl,0x22db,0xfe00,0) X(gesles,0x2a94,0,0) X(gfr,0x1d524,0,0) X(gg,0x226b,0,0) X(ggg,0x22d9,0,0) X(gimel,0x2137,0,0) \
X(gjcy,0x453,0,0) X(gl,0x2277,0,0) X(glE,0x2a92,0,0) X(gla,0x2aa5,0,0) X(glj,0x2aa4,0,0) X(gnE,0x2269,0,0) X(gnap,0x2a8a,0,0) \
X(gnapprox,0x2a8a,0,0) X(gne,0x2a88,0,0) X(gneq,0x2a88,0,0) X(gneqq,0x2269,0,0) X(gnsim,0x22e7,0,0) X(gopf,0x1d558,0,0) \
X(grave,0x60,0,0) X(gscr,0x210a,0,0) X(gsim,0x2273,0,0) X(gsime,0x2a8e,0,0) X(gsiml,0x2a90,0,0) X(gt,0x3e,0,1) X(gtcc,0x2aa7,0,0) \
X(gtcir,0x2a7a,0,0) X(gtdot,0x22d7,0,0) X(gtlPar,0x2995,0,0) X(gtquest,0x2a7c,0,0) X(gtrapprox,0x2a86,0,0) X(gtrarr,0x2978,0,0) \
X(gtrdot,0x22d7,0,0) X(gtreqless,0x22db,0,0) X(gtreqqless,0x2a8c,0,0) X(gtrless,0x2277,0,0) X(gtrsim,0x2273,0,0) \
X(gvertneqq,0x2269,0xfe00,0) X(gvnE,0x2269,0xfe00,0) X(hArr,0x21d4,0,0) X(hairsp,0x200a,0,0) X(half,0xbd,0,0) X(hamilt,0x210b,0,0) \
X(hardcy,0x44a,0,0) X(harr,0x2194,0,0) X(harrcir,0x2948,0,0) X(harrw,0x21ad,0,0) X(hbar,0x210f,0,0) X(hcirc,0x125,0,0) \
X(hearts,0x2665,0,0) X(heartsuit,0x2665,0,0) X(hellip,0x2026,0,0) X(hercon,0x22b9,0,0) X(hfr,0x1d525,0,0) X(hksearow,0x2925,0,0) \
X(hkswarow,0x2926,0,0) X(hoarr,0x21ff,0,0) X(homtht,0x223b,0,0) X(hookleftarrow,0x21a9,0,0) X(hookrightarrow,0x21aa,0,0) \
X(hopf,0x1d559,0,0) X(horbar,0x2015,0,0) X(hscr,0x1d4bd,0,0) X(hslash,0x210f,0,0) X(hstrok,0x127,0,0) X(hybull,0x2043,0,0) \
X(hyphen,0x2010,0,0) X(iacute,0xed,0,1) X(ic,0x2063,0,0) X(icirc,0xee,0,1) X(icy,0x438,0,0) X(iecy,0x435,0,0) X(iexcl,0xa1,0,1) \
X(iff,0x21d4,0,0) X(ifr,0x1d526,0,0) X(igrave,0xec,0,1) X(ii,0x2148,0,0) X(iiiint,0x2a0c,0,0) X(iiint,0x222d,0,0) X(iinfin,0x29dc,0,0) \
X(iiota,0x2129,0,0) X(ijlig,0x133,0,0) X(imacr,0x12b,0,0) X(image,0x2111,0,0) X(imagline,0x2110,0,0) X(imagpart,0x2111,0,0) \
X(imath,0x131,0,0) X(imof,0x22b7,0,0) X(imped,0x1b5,0,0) X(in,0x2208,0,0) X(incare,0x2105,0,0) X(infin,0x221e,0,0) \
X(infintie,0x29dd,0,0) X(inodot,0x131,0,0) X(int,0x222b,0,0) X(intcal,0x22ba,0,0) X(integers,0x2124,0,0) X(intercal,0x22ba,0,0) \
X(intlarhk,0x2a17,0,0) X(intprod,0x2a3c,0,0) X(iocy,0x451,0,0) X(iogon,0x12f,0,0) X(iopf,0x1d55a,0,0) X(iota,0x3b9,0,0) \
X(iprod,0x2a3c,0,0) X(iquest,0xbf,0,1) X(iscr,0x1d4be,0,0) X(isin,0x2208,0,0) X(isinE,0x22f9,0,0) X(isindot,0x22f5,0,0) \
X(isins,0x22f4,0,0) X(isinsv,0x22f3,0,0) X(isinv,0x2208,0,0) X(it,0x2062,0,0) X(itilde,0x129,0,0) X(iukcy,0x456,0,0) X(iuml,0xef,0,1) \
X(jcirc,0x135,0,0) X(jcy,0x439,0,0) X(jfr,0x1d527,0,0) X(jmath,0x237,0,0) X(jopf,0x1d55b,0,0) X(jscr,0x1d4bf,0,0) X(jsercy,0x458,0,0) \
X(jukcy,0x454,0,0) X(kappa,0x3ba,0,0) X(kappav,0x3f0,0,0) X(kcedil,0x137,0,0) X(kcy,0x43a,0,0) X(kfr,0x1d528,0,0) X(kgreen,0x138,0,0) \
X(khcy,0x445,0,0) X(kjcy,0x45c,0,0) X(kopf,0x1d55c,0,0) X(kscr,0x1d4c0,0,0) X(lAarr,0x21da,0,0) X(lArr,0x21d0,0,0) X(lAtail,0x291b,0,0) \
X(lBarr,0x290e,0,0) X(lE,0x2266,0,0) X(lEg,0x2a8b,0,0) X(lHar,0x2962,0,0) X(lacute,0x13a,0,0) X(laemptyv,0x29b4,0,0) \
X(lagran,0x2112,0,0) X(lambda,0x3bb,0,0) X(lang,0x27e8,0,0) X(langd,0x2991,0,0) X(langle,0x27e8,0,0) X(lap,0x2a85,0,0) \
X(laquo,0xab,0,1) X(larr,0x2190,0,0) X(larrb,0x21e4,0,0) X(larrbfs,0x291f,0,0) X(larrfs,0x291d,0,0) X(larrhk,0x21a9,0,0) \
X(larrlp,0x21ab,0,0) X(larrpl,0x2939,0,0) X(larrsim,0x2973,0,0) X(larrtl,0x21a2,0,0) X(lat,0x2aab,0,0) X(latail,0x2919,0,0) \
X(late,0x2aad,0,0) X(lates,0x2aad,0xfe00,0) X(lbarr,0x290c,0,0) X(lbbrk,0x2772,0,0) X(lbrace,0x7b,0,0) X(lbrack,0x5b,0,0) \
X(lbrke,0x298b,0,0) X(lbrksld,0x298f,0,0) X(lbrkslu,0x298d,0,0) X(lcaron,0x13e,0,0) X(lcedil,0x13c,0,0) X(lceil,0x2308,0,0) \
X(lcub,0x7b,0,0) X(lcy,0x43b,0,0) X(ldca,0x2936,0,0) X(ldquo,0x201c,0,0) X(ldquor,0x201e,0,0) X(ldrdhar,0x2967,0,0) \
X(ldrushar,0x294b,0,0) X(ldsh,0x21b2,0,0) X(le,0x2264,0,0) X(leftarrow,0x2190,0,0) X(leftarrowtail,0x21a2,0,0) \
X(leftharpoondown,0x21bd,0,0) X(leftharpoonup,0x21bc,0,0) X(leftleftarrows,0x21c7,0,0) X(leftrightarrow,0x2194,0,0) \
X(leftrightarrows,0x21c6,0,0) X(leftrightharpoons,0x21cb,0,0) X(leftrightsquigarrow,0x21ad,0,0) X(leftthreetimes,0x22cb,0,0) \
X(leg,0x22da,0,0) X(leq,0x2264,0,0) X(leqq,0x2266,0,0) X(leqslant,0x2a7d,0,0) X(les,0x2a7d,0,0) X(lescc,0x2aa8,0,0) \
X(lesdot,0x2a7f,0,0) X(lesdoto,0x2a81,0,0) X(lesdotor,0x2a83,0,0) X(lesg,0x22da,0xfe00,0) X(lesges,0x2a93,0,0) X(lessapprox,0x2a85,0,0) \
X(lessdot,0x22d6,0,0) X(lesseqgtr,0x22da,0,0) X(lesseqqgtr,0x2a8b,0,0) X(lessgtr,0x2276,0,0) X(lesssim,0x2272,0,0) X(lfisht,0x297c,0,0) \
X(lfloor,0x230a,0,0) X(lfr,0x1d529,0,0) X(lg,0x2276,0,0) X(lgE,0x2a91,0,0) X(lhard,0x21bd,0,0) X(lharu,0x21bc,0,0) X(lharul,0x296a,0,0) \
X(lhblk,0x2584,0,0) X(ljcy,0x459,0,0) X(ll,0x226a,0,0) X(llarr,0x21c7,0,0) X(llcorner,0x231e,0,0) X(llhard,0x296b,0,0) \
X(lltri,0x25fa,0,0) X(lmidot,0x140,0,0) X(lmoust,0x23b0,0,0) X(lmoustache,0x23b0,0,0) X(lnE,0x2268,0,0) X(lnap,0x2a89,0,0) \
X(lnapprox,0x2a89,0,0) X(lne,0x2a87,0,0) X(lneq,0x2a87,0,0) X(lneqq,0x2268,0,0) X(lnsim,0x22e6,0,0) X(loang,0x27ec,0,0) \
X(loarr,0x21fd,0,0) X(lobrk,0x27e6,0,0) X(longleftarrow,0x27f5,0,0) X(longleftrightarrow,0x27f7,0,0) X(longmapsto,0x27fc,0,0) \
X(longrightarrow,0x27f6,0,0) X(looparrowleft,0x21ab,0,0) X(looparrowright,0x21ac,0,0) X(lopar,0x2985,0,0) X(lopf,0x1d55d,0,0) \
X(loplus,0x2a2d,0,0) X(lotimes,0x2a34,0,0) X(lowast,0x2217,0,0) X(lowbar,0x5f,0,0) X(loz,0x25ca,0,0) X(lozenge,0x25ca,0,0) \
X(lozf,0x29eb,0,0) X(lpar,0x28,0,0) X(lparlt,0x2993,0,0) X(lrarr,0x21c6,0,0) X(lrcorner,0x231f,0,0) X(lrhar,0x21cb,0,0) \
X(lrhard,0x296d,0,0) X(lrm,0x200e,0,0) X(lrtri,0x22bf,0,0) X(lsaquo,0x2039,0,0) X(lscr,0x1d4c1,0,0) X(lsh,0x21b0,0,0) \
X(lsim,0x2272,0,0) X(lsime,0x2a8d,0,0) X(lsimg,0x2a8f,0,0) X(lsqb,0x5b,0,0) X(lsquo,0x2018,0,0) X(lsquor,0x201a,0,0) \
X(lstrok,0x142,0,0) X(lt,0x3c,0,1) X(ltcc,0x2aa6,0,0) X(ltcir,0x2a79,0,0) X(ltdot,0x22d6,0,0) X(lthree,0x22cb,0,0) X(ltimes,0x22c9,0,0) \
X(ltlarr,0x2976,0,0) X(ltquest,0x2a7b,0,0) X(ltrPar,0x2996,0,0) X(ltri,0x25c3,0,0) X(ltrie,0x22b4,0,0) X(ltrif,0x25c2,0,0) \
X(lurdshar,0x294a,0,0) X(luruhar,0x2966,0,0) X(lvertneqq,0x2268,0xfe00,0) X(lvnE,0x2268,0xfe00,0) X(mDDot,0x223a,0,0) X(macr,0xaf,0,1) \
X(male,0x2642,0,0) X(malt,0x2720,0,0) X(maltese,0x2720,0,0) X(map,0x21a6,0,0) X(mapsto,0x21a6,0,0) X(mapstodown,0x21a7,0,0) \
X(mapstoleft,0x21a4,0,0) X(mapstoup,0x21a5,0,0) X(marker,0x25ae,0,0) X(mcomma,0x2a29,0,0) X(mcy,0x43c,0,0) X(mdash,0x2014,0,0) \
X(measuredangle,0x2221,0,0) X(mfr,0x1d52a,0,0) X(mho,0x2127,0,0) X(micro,0xb5,0,1) X(mid,0x2223,0,0) X(midast,0x2a,0,0) \
X(midcir,0x2af0,0,0) X(middot,0xb7,0,1) X(minus,0x2212,0,0) X(minusb,0x229f,0,0) X(minusd,0x2238,0,0) X(minusdu,0x2a2a,0,0) \
X(mlcp,0x2adb,0,0) X(mldr,0x2026,0,0) X(mnplus,0x2213,0,0) X(models,0x22a7,0,0) X(mopf,0x1d55e,0,0) X(mp,0x2213,0,0) \
X(mscr,0x1d4c2,0,0) X(mstpos,0x223e,0,0) X(mu,0x3bc,0,0) X(multimap,0x22b8,0,0) X(mumap,0x22b8,0,0) X(nGg,0x22d9,0x338,0) \
X(nGt,0x226b,0x20d2,0) X(nGtv,0x226b,0x338,0) X(nLeftarrow,0x21cd,0,0) X(nLeftrightarrow,0x21ce,0,0) X(nLl,0x22d8,0x338,0) \
X(nLt,0x226a,0x20d2,0) X(nLtv,0x226a,0x338,0) X(nRightarrow,0x21cf,0,0) X(nVDash,0x22af,0,0) X(nVdash,0x22ae,0,0) X(nabla,0x2207,0,0) \
X(nacute,0x144,0,0) X(nang,0x2220,0x20d2,0) X(nap,0x2249,0,0) X(napE,0x2a70,0x338,0) X(napid,0x224b,0x338,0) X(napos,0x149,0,0) \
X(napprox,0x2249,0,0) X(natur,0x266e,0,0) X(natural,0x266e,0,0) X(naturals,0x2115,0,0) X(nbsp,0xa0,0,1) X(nbump,0x224e,0x338,0) \
X(nbumpe,0x224f,0x338,0) X(ncap,0x2a43,0,0) X(ncaron,0x148,0,0) X(ncedil,0x146,0,0) X(ncong,0x2247,0,0) X(ncongdot,0x2a6d,0x338,0) \
X(ncup,0x2a42,0,0) X(ncy,0x43d,0,0) X(ndash,0x2013,0,0) X(ne,0x2260,0,0) X(neArr,0x21d7,0,0) X(nearhk,0x2924,0,0) X(nearr,0x2197,0,0) \
X(nearrow,0x2197,0,0) X(nedot,0x2250,0x338,0) X(nequiv,0x2262,0,0) X(nesear,0x2928,0,0) X(nesim,0x2242,0x338,0) X(nexist,0x2204,0,0) \
X(nexists,0x2204,0,0) X(nfr,0x1d52b,0,0) X(ngE,0x2267,0x338,0) X(nge,0x2271,0,0) X(ngeq,0x2271,0,0) X(ngeqq,0x2267,0x338,0) \
X(ngeqslant,0x2a7e,0x338,0) X(nges,0x2a7e,0x338,0) X(ngsim,0x2275,0,0) X(ngt,0x226f,0,0) X(ngtr,0x226f,0,0) X(nhArr,0x21ce,0,0) \
X(nharr,0x21ae,0,0) X(nhpar,0x2af2,0,0) X(ni,0x220b,0,0) X(nis,0x22fc,0,0) X(nisd,0x22fa,0,0) X(niv,0x220b,0,0) X(njcy,0x45a,0,0) \
X(nlArr,0x21cd,0,0) X(nlE,0x2266,0x338,0) X(nlarr,0x219a,0,0) X(nldr,0x2025,0,0) X(nle,0x2270,0,0) X(nleftarrow,0x219a,0,0) \
X(nleftrightarrow,0x21ae,0,0) X(nleq,0x2270,0,0) X(nleqq,0x2266,0x338,0) X(nleqslant,0x2a7d,0x338,0) X(nles,0x2a7d,0x338,0) \
X(nless,0x226e,0,0) X(nlsim,0x2274,0,0) X(nlt,0x226e,0,0) X(nltri,0x22ea,0,0) X(nltrie,0x22ec,0,0) X(nmid,0x2224,0,0) \
X(nopf,0x1d55f,0,0) X(not,0xac,0,1) X(notin,0x2209,0,0) X(notinE,0x22f9,0x338,0) X(notindot,0x22f5,0x338,0) X(notinva,0x2209,0,0) \
X(notinvb,0x22f7,0,0) X(notinvc,0x22f6,0,0) X(notni,0x220c,0,0) X(notniva,0x220c,0,0) X(notnivb,0x22fe,0,0) X(notnivc,0x22fd,0,0) \
X(npar,0x2226,0,0) X(nparallel,0x2226,0,0) X(nparsl,0x2afd,0x20e5,0) X(npart,0x2202,0x338,0) X(npolint,0x2a14,0,0) X(npr,0x2280,0,0) \
X(nprcue,0x22e0,0,0) X(npre,0x2aaf,0x338,0) X(nprec,0x2280,0,0) X(npreceq,0x2aaf,0x338,0) X(nrArr,0x21cf,0,0) X(nrarr,0x219b,0,0) \
X(nrarrc,0x2933,0x338,0) X(nrarrw,0x219d,0x338,0) X(nrightarrow,0x219b,0,0) X(nrtri,0x22eb,0,0) X(nrtrie,0x22ed,0,0) X(nsc,0x2281,0,0) \
X(nsccue,0x22e1,0,0) X(nsce,0x2ab0,0x338,0) X(nscr,0x1d4c3,0,0) X(nshortmid,0x2224,0,0) X(nshortparallel,0x2226,0,0) X(nsim,0x2241,0,0) \
X(nsime,0x2244,0,0) X(nsimeq,0x2244,0,0) X(nsmid,0x2224,0,0) X(nspar,0x2226,0,0) X(nsqsube,0x22e2,0,0) X(nsqsupe,0x22e3,0,0) \
X(nsub,0x2284,0,0) X(nsubE,0x2ac5,0x338,0) X(nsube,0x2288,0,0) X(nsubset,0x2282,0x20d2,0) X(nsubseteq,0x2288,0,0) \
X(nsubseteqq,0x2ac5,0x338,0) X(nsucc,0x2281,0,0) X(nsucceq,0x2ab0,0x338,0) X(nsup,0x2285,0,0) X(nsupE,0x2ac6,0x338,0) \
X(nsupe,0x2289,0,0) X(nsupset,0x2283,0x20d2,0) X(nsupseteq,0x2289,0,0) X(nsupseteqq,0x2ac6,0x338,0) X(ntgl,0x2279,0,0) \
X(ntilde,0xf1,0,1) X(ntlg,0x2278,0,0) X(ntriangleleft,0x22ea,0,0) X(ntrianglelefteq,0x22ec,0,0) X(ntriangleright,0x22eb,0,0) \
X(ntrianglerighteq,0x22ed,0,0) X(nu,0x3bd,0,0) X(num,0x23,0,0) X(numero,0x2116,0,0) X(numsp,0x2007,0,0) X(nvDash,0x22ad,0,0) \
X(nvHarr,0x2904,0,0) X(nvap,0x224d,0x20d2,0) X(nvdash,0x22ac,0,0) X(nvge,0x2265,0x20d2,0) X(nvgt,0x3e,0x20d2,0) X(nvinfin,0x29de,0,0) \
X(nvlArr,0x2902,0,0) X(nvle,0x2264,0x20d2,0) X(nvlt,0x3c,0x20d2,0) X(nvltrie,0x22b4,0x20d2,0) X(nvrArr,0x2903,0,0) \
X(nvrtrie,0x22b5,0x20d2,0) X(nvsim,0x223c,0x20d2,0) X(nwArr,0x21d6,0,0) X(nwarhk,0x2923,0,0) X(nwarr,0x2196,0,0) X(nwarrow,0x2196,0,0) \
X(nwnear,0x2927,0,0) X(oS,0x24c8,0,0) X(oacute,0xf3,0,1) X(oast,0x229b,0,0) X(ocir,0x229a,0,0) X(ocirc,0xf4,0,1) X(ocy,0x43e,0,0) \
X(odash,0x229d,0,0) X(odblac,0x151,0,0) X(odiv,0x2a38,0,0) X(odot,0x2299,0,0) X(odsold,0x29bc,0,0) X(oelig,0x153,0,0) \
X(ofcir,0x29bf,0,0) X(ofr,0x1d52c,0,0) X(ogon,0x2db,0,0) X(ograve,0xf2,0,1) X(ogt,0x29c1,0,0) X(ohbar,0x29b5,0,0) X(ohm,0x3a9,0,0) \
X(oint,0x222e,0,0) X(olarr,0x21ba,0,0) X(olcir,0x29be,0,0) X(olcross,0x29bb,0,0) X(oline,0x203e,0,0) X(olt,0x29c0,0,0) \
X(omacr,0x14d,0,0) X(omega,0x3c9,0,0) X(omicron,0x3bf,0,0) X(omid,0x29b6,0,0) X(ominus,0x2296,0,0) X(oopf,0x1d560,0,0) \
X(opar,0x29b7,0,0) X(operp,0x29b9,0,0) X(oplus,0x2295,0,0) X(or,0x2228,0,0) X(orarr,0x21bb,0,0) X(ord,0x2a5d,0,0) X(order,0x2134,0,0) \
X(orderof,0x2134,0,0) X(ordf,0xaa,0,1) X(ordm,0xba,0,1) X(origof,0x22b6,0,0) X(oror,0x2a56,0,0) X(orslope,0x2a57,0,0) X(orv,0x2a5b,0,0) \
X(oscr,0x2134,0,0) X(oslash,0xf8,0,1) X(osol,0x2298,0,0) X(otilde,0xf5,0,1) X(otimes,0x2297,0,0) X(otimesas,0x2a36,0,0) \
X(ouml,0xf6,0,1) X(ovbar,0x233d,0,0) X(par,0x2225,0,0) X(para,0xb6,0,1) X(parallel,0x2225,0,0) X(parsim,0x2af3,0,0) X(parsl,0x2afd,0,0) \
X(part,0x2202,0,0) X(pcy,0x43f,0,0) X(percnt,0x25,0,0) X(period,0x2e,0,0) X(permil,0x2030,0,0) X(perp,0x22a5,0,0) X(pertenk,0x2031,0,0) \
X(pfr,0x1d52d,0,0) X(phi,0x3c6,0,0) X(phiv,0x3d5,0,0) X(phmmat,0x2133,0,0) X(phone,0x260e,0,0) X(pi,0x3c0,0,0) X(pitchfork,0x22d4,0,0) \
X(piv,0x3d6,0,0) X(planck,0x210f,0,0) X(planckh,0x210e,0,0) X(plankv,0x210f,0,0) X(plus,0x2b,0,0) X(plusacir,0x2a23,0,0) \
X(plusb,0x229e,0,0) X(pluscir,0x2a22,0,0) X(plusdo,0x2214,0,0) X(plusdu,0x2a25,0,0) X(pluse,0x2a72,0,0) X(plusmn,0xb1,0,1) \
X(plussim,0x2a26,0,0) X(plustwo,0x2a27,0,0) X(pm,0xb1,0,0) X(pointint,0x2a15,0,0) X(popf,0x1d561,0,0) X(pound,0xa3,0,1) \
X(pr,0x227a,0,0) X(prE,0x2ab3,0,0) X(prap,0x2ab7,0,0) X(prcue,0x227c,0,0) X(pre,0x2aaf,0,0) X(prec,0x227a,0,0) X(precapprox,0x2ab7,0,0) \
X(preccurlyeq,0x227c,0,0) X(preceq,0x2aaf,0,0) X(precnapprox,0x2ab9,0,0) X(precneqq,0x2ab5,0,0) X(precnsim,0x22e8,0,0) \
X(precsim,0x227e,0,0) X(prime,0x2032,0,0) X(primes,0x2119,0,0) X(prnE,0x2ab5,0,0) X(prnap,0x2ab9,0,0) X(prnsim,0x22e8,0,0) \
X(prod,0x220f,0,0) X(profalar,0x232e,0,0) X(profline,0x2312,0,0) X(profsurf,0x2313,0,0) X(prop,0x221d,0,0) X(propto,0x221d,0,0) \
X(prsim,0x227e,0,0) X(prurel,0x22b0,0,0) X(pscr,0x1d4c5,0,0) X(psi,0x3c8,0,0) X(puncsp,0x2008,0,0) X(qfr,0x1d52e,0,0) \
X(qint,0x2a0c,0,0) X(qopf,0x1d562,0,0) X(qprime,0x2057,0,0) X(qscr,0x1d4c6,0,0) X(quaternions,0x210d,0,0) X(quatint,0x2a16,0,0) \
X(quest,0x3f,0,0) X(questeq,0x225f,0,0) X(quot,0x22,0,1) X(rAarr,0x21db,0,0) X(rArr,0x21d2,0,0) X(rAtail,0x291c,0,0) \
X(rBarr,0x290f,0,0) X(rHar,0x2964,0,0) X(race,0x223d,0x331,0) X(racute,0x155,0,0) X(radic,0x221a,0,0) X(raemptyv,0x29b3,0,0) \
X(rang,0x27e9,0,0) X(rangd,0x2992,0,0) X(range,0x29a5,0,0) X(rangle,0x27e9,0,0) X(raquo,0xbb,0,1) X(rarr,0x2192,0,0) \
X(rarrap,0x2975,0,0) X(rarrb,0x21e5,0,0) X(rarrbfs,0x2920,0,0) X(rarrc,0x2933,0,0) X(rarrfs,0x291e,0,0) X(rarrhk,0x21aa,0,0) \
X(rarrlp,0x21ac,0,0) X(rarrpl,0x2945,0,0) X(rarrsim,0x2974,0,0) X(rarrtl,0x21a3,0,0) X(rarrw,0x219d,0,0) X(ratail,0x291a,0,0) \
X(ratio,0x2236,0,0) X(rationals,0x211a,0,0) X(rbarr,0x290d,0,0) X(rbbrk,0x2773,0,0) X(rbrace,0x7d,0,0) X(rbrack,0x5d,0,0) \
X(rbrke,0x298c,0,0) X(rbrksld,0x298e,0,0) X(rbrkslu,0x2990,0,0) X(rcaron,0x159,0,0) X(rcedil,0x157,0,0) X(rceil,0x2309,0,0) \
X(rcub,0x7d,0,0) X(rcy,0x440,0,0) X(rdca,0x2937,0,0) X(rdldhar,0x2969,0,0) X(rdquo,0x201d,0,0) X(rdquor,0x201d,0,0) X(rdsh,0x21b3,0,0) \
X(real,0x211c,0,0) X(realine,0x211b,0,0) X(realpart,0x211c,0,0) X(reals,0x211d,0,0) X(rect,0x25ad,0,0) X(reg,0xae,0,1) \
X(rfisht,0x297d,0,0) X(rfloor,0x230b,0,0) X(rfr,0x1d52f,0,0) X(rhard,0x21c1,0,0) X(rharu,0x21c0,0,0) X(rharul,0x296c,0,0) \
X(rho,0x3c1,0,0) X(rhov,0x3f1,0,0) X(rightarrow,0x2192,0,0) X(rightarrowtail,0x21a3,0,0) X(rightharpoondown,0x21c1,0,0) \
X(rightharpoonup,0x21c0,0,0) X(rightleftarrows,0x21c4,0,0) X(rightleftharpoons,0x21cc,0,0) X(rightrightarrows,0x21c9,0,0) \
X(rightsquigarrow,0x219d,0,0) X(rightthreetimes,0x22cc,0,0) X(ring,0x2da,0,0) X(risingdotseq,0x2253,0,0) X(rlarr,0x21c4,0,0) \
X(rlhar,0x21cc,0,0) X(rlm,0x200f,0,0) X(rmoust,0x23b1,0,0) X(rmoustache,0x23b1,0,0) X(rnmid,0x2aee,0,0) X(roang,0x27ed,0,0) \
X(roarr,0x21fe,0,0) X(robrk,0x27e7,0,0) X(ropar,0x2986,0,0) X(ropf,0x1d563,0,0) X(roplus,0x2a2e,0,0) X(rotimes,0x2a35,0,0) \
X(rpar,0x29,0,0) X(rpargt,0x2994,0,0) X(rppolint,0x2a12,0,0) X(rrarr,0x21c9,0,0) X(rsaquo,0x203a,0,0) X(rscr,0x1d4c7,0,0) \
X(rsh,0x21b1,0,0) X(rsqb,0x5d,0,0) X(rsquo,0x2019,0,0) X(rsquor,0x2019,0,0) X(rthree,0x22cc,0,0) X(rtimes,0x22ca,0,0) \
X(rtri,0x25b9,0,0) X(rtrie,0x22b5,0,0) X(rtrif,0x25b8,0,0) X(rtriltri,0x29ce,0,0) X(ruluhar,0x2968,0,0) X(rx,0x211e,0,0) \
X(sacute,0x15b,0,0) X(sbquo,0x201a,0,0) X(sc,0x227b,0,0) X(scE,0x2ab4,0,0) X(scap,0x2ab8,0,0) X(scaron,0x161,0,0) X(sccue,0x227d,0,0) \
X(sce,0x2ab0,0,0) X(scedil,0x15f,0,0) X(scirc,0x15d,0,0) X(scnE,0x2ab6,0,0) X(scnap,0x2aba,0,0) X(scnsim,0x22e9,0,0) \
X(scpolint,0x2a13,0,0) X(scsim,0x227f,0,0) X(scy,0x441,0,0) X(sdot,0x22c5,0,0) X(sdotb,0x22a1,0,0) X(sdote,0x2a66,0,0) \
X(seArr,0x21d8,0,0) X(searhk,0x2925,0,0) X(searr,0x2198,0,0) X(searrow,0x2198,0,0) X(sect,0xa7,0,1) X(semi,0x3b,0,0) \
X(seswar,0x2929,0,0) X(setminus,0x2216,0,0) X(setmn,0x2216,0,0) X(sext,0x2736,0,0) X(sfr,0x1d530,0,0) X(sfrown,0x2322,0,0) \
X(sharp,0x266f,0,0) X(shchcy,0x449,0,0) X(shcy,0x448,0,0) X(shortmid,0x2223,0,0) X(shortparallel,0x2225,0,0) X(shy,0xad,0,1) \
X(sigma,0x3c3,0,0) X(sigmaf,0x3c2,0,0) X(sigmav,0x3c2,0,0) X(sim,0x223c,0,0) X(simdot,0x2a6a,0,0) X(sime,0x2243,0,0) \
X(simeq,0x2243,0,0) X(simg,0x2a9e,0,0) X(simgE,0x2aa0,0,0) X(siml,0x2a9d,0,0) X(simlE,0x2a9f,0,0) X(simne,0x2246,0,0) \
X(simplus,0x2a24,0,0) X(simrarr,0x2972,0,0) X(slarr,0x2190,0,0) X(smallsetminus,0x2216,0,0) X(smashp,0x2a33,0,0) X(smeparsl,0x29e4,0,0) \
X(smid,0x2223,0,0) X(smile,0x2323,0,0) X(smt,0x2aaa,0,0) X(smte,0x2aac,0,0) X(smtes,0x2aac,0xfe00,0) X(softcy,0x44c,0,0) \
X(sol,0x2f,0,0) X(solb,0x29c4,0,0) X(solbar,0x233f,0,0) X(sopf,0x1d564,0,0) X(spades,0x2660,0,0) X(spadesuit,0x2660,0,0) \
X(spar,0x2225,0,0) X(sqcap,0x2293,0,0) X(sqcaps,0x2293,0xfe00,0) X(sqcup,0x2294,0,0) X(sqcups,0x2294,0xfe00,0) X(sqsub,0x228f,0,0) \
X(sqsube,0x2291,0,0) X(sqsubset,0x228f,0,0) X(sqsubseteq,0x2291,0,0) X(sqsup,0x2290,0,0) X(sqsupe,0x2292,0,0) X(sqsupset,0x2290,0,0) \
X(sqsupseteq,0x2292,0,0) X(squ,0x25a1,0,0) X(square,0x25a1,0,0) X(squarf,0x25aa,0,0) X(squf,0x25aa,0,0) X(srarr,0x2192,0,0) \
X(sscr,0x1d4c8,0,0) X(ssetmn,0x2216,0,0) X(ssmile,0x2323,0,0) X(sstarf,0x22c6,0,0) X(star,0x2606,0,0) X(starf,0x2605,0,0) \
X(straightepsilon,0x3f5,0,0) X(straightphi,0x3d5,0,0) X(strns,0xaf,0,0) X(sub,0x2282,0,0) X(subE,0x2ac5,0,0) X(subdot,0x2abd,0,0) \
X(sube,0x2286,0,0) X(subedot,0x2ac3,0,0) X(submult,0x2ac1,0,0) X(subnE,0x2acb,0,0) X(subne,0x228a,0,0) X(subplus,0x2abf,0,0) \
X(subrarr,0x2979,0,0) X(subset,0x2282,0,0) X(subseteq,0x2286,0,0) X(subseteqq,0x2ac5,0,0) X(subsetneq,0x228a,0,0) \
X(subsetneqq,0x2acb,0,0) X(subsim,0x2ac7,0,0) X(subsub,0x2ad5,0,0) X(subsup,0x2ad3,0,0) X(succ,0x227b,0,0) X(succapprox,0x2ab8,0,0) \
X(succcurlyeq,0x227d,0,0) X(succeq,0x2ab0,0,0) X(succnapprox,0x2aba,0,0) X(succneqq,0x2ab6,0,0) X(succnsim,0x22e9,0,0) \
X(succsim,0x227f,0,0) X(sum,0x2211,0,0) X(sung,0x266a,0,0) X(sup,0x2283,0,0) X(sup1,0xb9,0,1) X(sup2,0xb2,0,1) X(sup3,0xb3,0,1) \
X(supE,0x2ac6,0,0) X(supdot,0x2abe,0,0) X(supdsub,0x2ad8,0,0) X(supe,0x2287,0,0) X(supedot,0x2ac4,0,0) X(suphsol,0x27c9,0,0) \
X(suphsub,0x2ad7,0,0) X(suplarr,0x297b,0,0) X(supmult,0x2ac2,0,0) X(supnE,0x2acc,0,0) X(supne,0x228b,0,0) X(supplus,0x2ac0,0,0) \
X(supset,0x2283,0,0) X(supseteq,0x2287,0,0) X(supseteqq,0x2ac6,0,0) X(supsetneq,0x228b,0,0) X(supsetneqq,0x2acc,0,0) \
X(supsim,0x2ac8,0,0) X(supsub,0x2ad4,0,0) X(supsup,0x2ad6,0,0) X(swArr,0x21d9,0,0) X(swarhk,0x2926,0,0) X(swarr,0x2199,0,0) \
X(swarrow,0x2199,0,0) X(swnwar,0x292a,0,0) X(szlig,0xdf,0,1) X(target,0x2316,0,0) X(tau,0x3c4,0,0) X(tbrk,0x23b4,0,0) \
X(tcaron,0x165,0,0) X(tcedil,0x163,0,0) X(tcy,0x442,0,0) X(tdot,0x20db,0,0) X(telrec,0x2315,0,0) X(tfr,0x1d531,0,0) \
X(there4,0x2234,0,0) X(therefore,0x2234,0,0) X(theta,0x3b8,0,0) X(thetasym,0x3d1,0,0) X(thetav,0x3d1,0,0) X(thickapprox,0x2248,0,0) \
X(thicksim,0x223c,0,0) X(thinsp,0x2009,0,0) X(thkap,0x2248,0,0) X(thksim,0x223c,0,0) X(thorn,0xfe,0,1) X(tilde,0x2dc,0,0) \
X(times,0xd7,0,1) X(timesb,0x22a0,0,0) X(timesbar,0x2a31,0,0) X(timesd,0x2a30,0,0) X(tint,0x222d,0,0) X(toea,0x2928,0,0) \
X(top,0x22a4,0,0) X(topbot,0x2336,0,0) X(topcir,0x2af1,0,0) X(topf,0x1d565,0,0) X(topfork,0x2ada,0,0) X(tosa,0x2929,0,0) \
X(tprime,0x2034,0,0) X(trade,0x2122,0,0) X(triangle,0x25b5,0,0) X(triangledown,0x25bf,0,0) X(triangleleft,0x25c3,0,0) \
X(trianglelefteq,0x22b4,0,0) X(triangleq,0x225c,0,0) X(triangleright,0x25b9,0,0) X(trianglerighteq,0x22b5,0,0) X(tridot,0x25ec,0,0) \
X(trie,0x225c,0,0) X(triminus,0x2a3a,0,0) X(triplus,0x2a39,0,0) X(trisb,0x29cd,0,0) X(tritime,0x2a3b,0,0) X(trpezium,0x23e2,0,0) \
X(tscr,0x1d4c9,0,0) X(tscy,0x446,0,0) X(tshcy,0x45b,0,0) X(tstrok,0x167,0,0) X(twixt,0x226c,0,0) X(twoheadleftarrow,0x219e,0,0) \
X(twoheadrightarrow,0x21a0,0,0) X(uArr,0x21d1,0,0) X(uHar,0x2963,0,0) X(uacute,0xfa,0,1) X(uarr,0x2191,0,0) X(ubrcy,0x45e,0,0) \
X(ubreve,0x16d,0,0) X(ucirc,0xfb,0,1) X(ucy,0x443,0,0) X(udarr,0x21c5,0,0) X(udblac,0x171,0,0) X(udhar,0x296e,0,0) X(ufisht,0x297e,0,0) \
X(ufr,0x1d532,0,0) X(ugrave,0xf9,0,1) X(uharl,0x21bf,0,0) X(uharr,0x21be,0,0) X(uhblk,0x2580,0,0) X(ulcorn,0x231c,0,0) \
X(ulcorner,0x231c,0,0) X(ulcrop,0x230f,0,0) X(ultri,0x25f8,0,0) X(umacr,0x16b,0,0) X(uml,0xa8,0,1) X(uogon,0x173,0,0) \
X(uopf,0x1d566,0,0) X(uparrow,0x2191,0,0) X(updownarrow,0x2195,0,0) X(upharpoonleft,0x21bf,0,0) X(upharpoonright,0x21be,0,0) \
X(uplus,0x228e,0,0) X(upsi,0x3c5,0,0) X(upsih,0x3d2,0,0) X(upsilon,0x3c5,0,0) X(upuparrows,0x21c8,0,0) X(urcorn,0x231d,0,0) \
X(urcorner,0x231d,0,0) X(urcrop,0x230e,0,0) X(uring,0x16f,0,0) X(urtri,0x25f9,0,0) X(uscr,0x1d4ca,0,0) X(utdot,0x22f0,0,0) \
X(utilde,0x169,0,0) X(utri,0x25b5,0,0) X(utrif,0x25b4,0,0) X(uuarr,0x21c8,0,0) X(uuml,0xfc,0,1) X(uwangle,0x29a7,0,0) \
X(vArr,0x21d5,0,0) X(vBar,0x2ae8,0,0) X(vBarv,0x2ae9,0,0) X(vDash,0x22a8,0,0) X(vangrt,0x299c,0,0) X(varepsilon,0x3f5,0,0) \
X(varkappa,0x3f0,0,0) X(varnothing,0x2205,0,0) X(varphi,0x3d5,0,0) X(varpi,0x3d6,0,0) X(varpropto,0x221d,0,0) X(varr,0x2195,0,0) \
X(varrho,0x3f1,0,0) X(varsigma,0x3c2,0,0) X(varsubsetneq,0x228a,0xfe00,0) X(varsubsetneqq,0x2acb,0xfe00,0) \
X(varsupsetneq,0x228b,0xfe00,0) X(varsupsetneqq,0x2acc,0xfe00,0) X(vartheta,0x3d1,0,0) X(vartriangleleft,0x22b2,0,0) \
X(vartriangleright,0x22b3,0,0) X(vcy,0x432,0,0) X(vdash,0x22a2,0,0) X(vee,0x2228,0,0) X(veebar,0x22bb,0,0) X(veeeq,0x225a,0,0) \
X(vellip,0x22ee,0,0) X(verbar,0x7c,0,0) X(vert,0x7c,0,0) X(vfr,0x1d533,0,0) X(vltri,0x22b2,0,0) X(vnsub,0x2282,0x20d2,0) \
X(vnsup,0x2283,0x20d2,0) X(vopf,0x1d567,0,0) X(vprop,0x221d,0,0) X(vrtri,0x22b3,0,0) X(vscr,0x1d4cb,0,0) X(vsubnE,0x2acb,0xfe00,0) \
X(vsubne,0x228a,0xfe00,0) X(vsupnE,0x2acc,0xfe00,0) X(vsupne,0x228b,0xfe00,0) X(vzigzag,0x299a,0,0) X(wcirc,0x175,0,0) \
X(wedbar,0x2a5f,0,0) X(wedge,0x2227,0,0) X(wedgeq,0x2259,0,0) X(weierp,0x2118,0,0) X(wfr,0x1d534,0,0) X(wopf,0x1d568,0,0) \
X(wp,0x2118,0,0) X(wr,0x2240,0,0) X(wreath,0x2240,0,0) X(wscr,0x1d4cc,0,0) X(xcap,0x22c2,0,0) X(xcirc,0x25ef,0,0) X(xcup,0x22c3,0,0) \
X(xdtri,0x25bd,0,0) X(xfr,0x1d535,0,0) X(xhArr,0x27fa,0,0) X(xharr,0x27f7,0,0) X(xi,0x3be,0,0) X(xlArr,0x27f8,0,0) X(xlarr,0x27f5,0,0) \
X(xmap,0x27fc,0,0) X(xnis,0x22fb,0,0) X(xodot,0x2a00,0,0) X(xopf,0x1d569,0,0) X(xoplus,0x2a01,0,0) X(xotime,0x2a02,0,0) \
X(xrArr,0x27f9,0,0) X(xrarr,0x27f6,0,0) X(xscr,0x1d4cd,0,0) X(xsqcup,0x2a06,0,0) X(xuplus,0x2a04,0,0) X(xutri,0x25b3,0,0) \
X(xvee,0x22c1,0,0) X(xwedge,0x22c0,0,0) X(yacute,0xfd,0,1) X(yacy,0x44f,0,0) X(ycirc,0x177,0,0) X(ycy,0x44b,0,0) X(yen,0xa5,0,1) \
X(yfr,0x1d536,0,0) X(yicy,0x457,0,0) X(yopf,0x1d56a,0,0) X(yscr,0x1d4ce,0,0) X(yucy,0x44e,0,0) X(yuml,0xff,0,1) X(zacute,0x17a,0,0) \
X(zcaron,0x17e,0,0) X(zcy,0x437,0,0) X(zdot,0x17c,0,0) X(zeetrf,0x2128,0,0) X(zeta,0x3b6,0,0) X(zfr,0x1d537,0,0) X(zhcy,0x436,0,0) \
X(zigrarr,0x21dd,0,0) X(zopf,0x1d56b,0,0) X(zscr,0x1d4cf,0,0) X(zwj,0x200d,0,0) X(zwnj,0x200c,0,0)
